// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"strings"
	"testing"
)

// Peterson's lock for two actors. Words: want[0], want[1], turn.
type petersonMem struct {
	Want [2]uint32
	Turn uint32
}

type petersonLocal struct{ PC, Rounds int8 }

func peterson(buffer int, fence bool) Model[petersonMem, petersonLocal] {
	const turn = 2
	return Model[petersonMem, petersonLocal]{
		Name:   "peterson",
		Locals: []petersonLocal{{Rounds: 2}, {Rounds: 2}},
		Names:  []string{"A", "B"},
		Buffer: buffer,
		Apply: func(s *petersonMem, word uint8, v uint32) {
			if word == turn {
				s.Turn = v
			} else {
				s.Want[word] = v
			}
		},
		Done: func(l petersonLocal) bool { return l.Rounds == 0 },
		Steps: func(x *X[petersonMem, petersonLocal]) {
			me, other, l := uint8(x.Me), uint8(1-x.Me), x.L
			l.PC++
			switch x.L.PC {
			case 0:
				x.Store("want=1", me, 1, l)
			case 1:
				x.Store("turn=other", turn, uint32(other), l)
			case 2:
				if fence {
					x.Atomic("fence", x.S, l)
				} else {
					x.Step("no fence", x.S, l)
				}
			case 3:
				if x.Load(other, x.S.Want[other]) == 0 {
					l.PC = 5
				}
				x.Step("load want of the other", x.S, l)
			case 4:
				if x.Load(turn, x.S.Turn) != uint32(me) {
					l.PC = 3
				}
				x.Step("load turn", x.S, l)
			case 5:
				x.Step("in the section", x.S, l)
			case 6:
				x.Store("want=0", me, 0, petersonLocal{Rounds: l.Rounds - 1})
			}
		},
		Invariant: func(_ petersonMem, l []petersonLocal) string {
			if l[0].PC >= 5 && l[1].PC >= 5 {
				return "both are in the section"
			}
			return ""
		},
	}
}

func TestPeterson(t *testing.T) {
	Holds(t, peterson(0, false))
	Holds(t, peterson(2, true))
	r := Fails(t, peterson(2, false), Broken)
	if !strings.Contains(r.Trace, "on its way") || !strings.Contains(r.Trace, "A: want=1") {
		t.Errorf("trace shows neither labels nor buffers:\n%s", r.Trace)
	}
	// The shortest way to it: want, turn, fence, load by each (turn stays in
	// the buffer, as want does, so both loads give 0).
	if r.Steps != 8 {
		t.Errorf("counterexample of %d steps, the shortest has 8:\n%s", r.Steps, r.Trace)
	}
}

// A lock whose waiter tests, then sleeps. Atomic shared words.
type sleepMem struct {
	Locked, Sleepers, Tokens int8
}

type sleepLocal struct{ PC int8 }

// sleeping is a sleeping lock; when recheck is set the waiter looks at the
// lock again after it has announced itself.
func sleeping(actors int, recheck bool) Model[sleepMem, sleepLocal] {
	return Model[sleepMem, sleepLocal]{
		Name:   "sleeping lock",
		Locals: make([]sleepLocal, actors),
		Done:   func(l sleepLocal) bool { return l.PC == 7 },
		AtEnd: func(s sleepMem, _ []sleepLocal) string {
			if s.Locked != 0 || s.Sleepers != 0 {
				return "left locked or with sleepers"
			}
			return ""
		},
		Steps: func(x *X[sleepMem, sleepLocal]) {
			s, to := x.S, func(pc int8) sleepLocal { return sleepLocal{pc} }
			switch x.L.PC {
			case 0:
				if s.Locked == 0 {
					s.Locked = 1
					x.Atomic("take", s, to(4))
				} else {
					x.Step("found it taken", s, to(1))
				}
			case 1:
				s.Sleepers++
				if recheck {
					x.Atomic("announce", s, to(2))
				} else {
					x.Atomic("announce", s, to(3))
				}
			case 2:
				if s.Locked == 0 && s.Sleepers > 0 {
					s.Sleepers--
					x.Atomic("free after all", s, to(0))
				} else {
					x.Step("still taken", s, to(3))
				}
			case 3:
				if s.Tokens > 0 {
					s.Tokens--
					x.Atomic("woken", s, to(0))
				}
			case 4:
				s.Locked = 0
				x.Atomic("release", s, to(5))
			case 5:
				if s.Sleepers > 0 {
					s.Sleepers--
					s.Tokens++
					x.Atomic("wake one", s, to(7))
				} else {
					x.Step("nobody sleeps", s, to(7))
				}
			}
		},
	}
}

func TestSleepingLock(t *testing.T) {
	Holds(t, sleeping(2, true))
	Holds(t, sleeping(4, true))
	r := Fails(t, sleeping(2, false), Stuck)
	if r.Steps != 5 { // take, found, release, nobody sleeps, announce
		t.Errorf("lost wake-up after %d steps, the shortest is 5:\n%s", r.Steps, r.Trace)
	}
}

// A ticket lock with counters that wrap at 4.
type ticketMem struct{ Next, Owner uint8 }

type ticketLocal struct {
	PC, Rounds int8
	Mine       uint8
}

// ticket is the lock; torn takes the ticket with a load and a store.
func ticket(actors int, torn bool) Model[ticketMem, ticketLocal] {
	const wrap = 4
	m := Model[ticketMem, ticketLocal]{
		Name:   "ticket lock",
		Shared: ticketMem{Next: wrap - 1, Owner: wrap - 1},
		Done:   func(l ticketLocal) bool { return l.Rounds == 0 },
		Steps: func(x *X[ticketMem, ticketLocal]) {
			s, l := x.S, x.L
			switch l.PC {
			case 0:
				l.Mine, l.PC = s.Next, 2
				if torn {
					l.PC = 1
				} else {
					s.Next = (s.Next + 1) % wrap
				}
				x.Atomic("take a ticket", s, l)
			case 1:
				s.Next, l.PC = (l.Mine+1)%wrap, 2
				x.Atomic("write next", s, l)
			case 2:
				if s.Owner == l.Mine {
					l.PC = 3
				}
				x.Step("look at owner", s, l)
			case 3:
				s.Owner = (s.Owner + 1) % wrap
				x.Atomic("release", s, ticketLocal{Rounds: l.Rounds - 1})
			}
		},
		Invariant: func(_ ticketMem, ls []ticketLocal) string {
			inside := 0
			for _, l := range ls {
				if l.PC == 3 {
					inside++
				}
			}
			if inside > 1 {
				return "two are in the section"
			}
			return ""
		},
	}
	for range actors {
		m.Locals = append(m.Locals, ticketLocal{Rounds: 2})
	}
	return m
}

func TestTicketLock(t *testing.T) {
	Holds(t, ticket(2, false))
	Holds(t, ticket(4, false))
	Fails(t, ticket(2, true), Broken, Livelock)
}
