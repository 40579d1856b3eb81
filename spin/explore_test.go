// SPDX-License-Identifier: BSD-3-Clause

package spin

import "testing"

// The explorer runs every interleaving of three goroutines over the transitions of
// state.go, one access of a shared word a step, with counters modulo 4: small enough
// that TryLock meets a counter that went round while it looked. It covers sequential
// consistency, which Go's atomics give; doc.go argues for the assembly.

const modulus = 4

// step numbers, in the order of the code.
const (
	atStart   = iota
	atSwap    // TryLock: owner read, compare-and-swap on next comes
	atSecond  // TryLock: ticket drawn, the second look comes
	atWait    // ticket drawn, waits for it
	atHold    // in the section
	atRelease // Unlock: owner read, its store comes
)

type actor struct {
	at   uint8
	my   uint32 // ticket, or owner as TryLock or Unlock read it
	done uint8  // operations of its script that are finished
}

type world struct {
	next, owner uint32
	actors      [3]actor
}

// A script is a list of 'L' (Lock, Unlock) and 'T' (TryLock and, if it succeeded, Unlock).
type explorer struct {
	scripts    [3]string
	secondLook bool // false: the mutant
	seen       map[world]bool
	depth, max int
	bad        string
}

func cut(x uint32) uint32 { return x % modulus }

// step moves actor i, and reports whether it could.
func (e *explorer) step(w *world, i int) bool {
	a := &w.actors[i]
	switch a.at {
	case atStart:
		if int(a.done) == len(e.scripts[i]) {
			return false
		}
		if e.scripts[i][a.done] == 'L' {
			a.my, w.next, a.at = w.next, cut(succ(w.next)), atWait
		} else {
			a.my, a.at = w.owner, atSwap
		}
	case atSwap: // the plain look at next is part of it: both fail alike
		if !free(w.next, a.my) {
			a.at = atStart
			a.done++
			return true
		}
		w.next, a.at = cut(succ(w.next)), atSecond
		if !e.secondLook {
			a.at = atHold
		}
	case atSecond, atWait:
		if cut(distance(a.my, w.owner)) != 0 {
			moved := a.at == atSecond
			a.at = atWait
			return moved
		}
		a.at = atHold
	case atHold:
		if free(w.next, w.owner) {
			e.bad = "a holder's Unlock found the lock free"
		}
		a.my, a.at = w.owner, atRelease
	case atRelease:
		w.owner, a.at = cut(succ(a.my)), atStart
		a.done++
	}
	return true
}

func (e *explorer) run(w world) {
	if e.bad != "" || e.seen[w] {
		return
	}
	e.seen[w] = true
	e.depth++
	e.max = max(e.max, e.depth)
	holders, moved, ended := 0, false, true
	for i, a := range w.actors {
		if a.at == atHold || a.at == atRelease {
			holders++
		}
		ended = ended && int(a.done) == len(e.scripts[i])
		n := w
		if e.step(&n, i) {
			moved = true
			e.run(n)
		}
	}
	switch {
	case holders > 1:
		e.bad = "two holders"
	case !moved && !ended:
		e.bad = "nobody can move and not all are done"
	case ended && w.next != w.owner:
		e.bad = "all are done and the lock is not free"
	}
	e.depth--
}

func explore(secondLook bool, scripts ...string) *explorer {
	e := &explorer{scripts: [3]string(scripts), secondLook: secondLook, seen: map[world]bool{}}
	e.run(world{})
	return e
}

func TestExplore(t *testing.T) {
	for _, s := range [][]string{
		{"LLL", "LLL", "LLL"},
		{"TTT", "TTT", "TTT"},
		{"LTL", "TLT", "LTT"},
		{"T", "LLLLLL", "LL"}, // goes round during the TryLock
		{"TL", "LTLLL", "TLLL"},
	} {
		e := explore(true, s...)
		if e.bad != "" {
			t.Errorf("%v: %s", s, e.bad)
		}
		t.Logf("%v: %d states, depth %d", s, len(e.seen), e.max)
	}
}

func TestExploreFindsTheMutant(t *testing.T) {
	if e := explore(false, "T", "LLLLLL", "LL"); e.bad == "" {
		t.Error("without the second look nothing was found")
	}
}
