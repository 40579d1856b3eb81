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

// Two actors that step back for each other: no state is stuck, and still they
// can go on for ever. With a turn to break the tie they cannot.
type politeMem struct {
	Want [2]bool
}

func polite(tie bool) Model[politeMem, int8] {
	return Model[politeMem, int8]{
		Name:   "after you",
		Locals: make([]int8, 2),
		Done:   func(l int8) bool { return l == 3 },
		Steps: func(x *X[politeMem, int8]) {
			s, other := x.S, 1-x.Me
			switch x.L {
			case 0:
				s.Want[x.Me] = true
				x.Atomic("want", s, 1)
			case 1:
				switch {
				case !s.Want[other]:
					x.Step("go", s, 2)
				case tie && x.Me == 0:
					x.Step("insist", s, 1)
				default:
					s.Want[x.Me] = false
					x.Atomic("step back", s, 0)
				}
			case 2:
				s.Want[x.Me] = false
				x.Atomic("leave", s, 3)
			}
		},
	}
}

// B waits for a lock that A takes and gives back until B has had it. B is
// enabled again and again but never for good: weak fairness owes it nothing.
type againMem struct{ Locked, Had bool }

func again() Model[againMem, int8] {
	return Model[againMem, int8]{
		Name:   "again and again",
		Locals: make([]int8, 2),
		Done:   func(l int8) bool { return l == 2 },
		Steps: func(x *X[againMem, int8]) {
			s := x.S
			switch {
			case x.Me == 1 && !s.Locked:
				s.Had = true
				x.Atomic("had it", s, 2)
			case x.Me == 0 && x.L == 0:
				s.Locked = true
				x.Atomic("take", s, 1)
			case x.Me == 0 && s.Had:
				x.Atomic("enough", s, 2)
			case x.Me == 0:
				s.Locked = false
				x.Atomic("give back", s, 0)
			}
		},
	}
}

func TestFairLoops(t *testing.T) {
	r := Fails(t, polite(false), Livelock)
	if !strings.Contains(r.Trace, "loop") {
		t.Errorf("no loop in the trace:\n%s", r.Trace)
	}
	// With the tie broken one loop is left, and it is fair: B steps back and
	// wants again each time before A looks.
	Fails(t, polite(true), Livelock)
	Fails(t, again(), Livelock)
	// A spinning waiter alone is no fault: the loop would starve the holder.
	Holds(t, ticket(2, false))
}

// What only may happen saves nobody, and does happen.
func TestOptionalSteps(t *testing.T) {
	sleeper := func(step func(x *X[int8, int8])) Model[int8, int8] {
		return Model[int8, int8]{
			Name: "optional", Locals: make([]int8, 1),
			Done:      func(l int8) bool { return l == 1 },
			Steps:     step,
			Invariant: func(s int8, _ []int8) string { return map[bool]string{true: "it happened"}[s == 2] },
		}
	}
	Fails(t, sleeper(func(x *X[int8, int8]) { x.May("cancelled", 0, 1) }), Stuck)
	Fails(t, sleeper(func(x *X[int8, int8]) { x.May("cancelled", 2, 1) }), Broken)
	Holds(t, sleeper(func(x *X[int8, int8]) {
		x.May("cancelled", 0, 1)
		x.Step("woken", 0, 1)
	}))
	// Going round by its own steps while it could be cancelled is a loop all
	// the same.
	Fails(t, sleeper(func(x *X[int8, int8]) {
		x.May("cancelled", 0, 1)
		x.Step("poll", 0, 0)
	}), Livelock)
}

// A store that stays in a buffer for ever is unfair; so a reader that polls
// for it always sees it in the end.
func TestBuffersDrain(t *testing.T) {
	m := Model[uint32, int8]{
		Name: "poll", Locals: make([]int8, 2), Buffer: 1,
		Apply: func(s *uint32, _ uint8, v uint32) { *s = v },
		Done:  func(l int8) bool { return l == 1 },
		Steps: func(x *X[uint32, int8]) {
			switch {
			case x.Me == 0:
				x.Store("publish", 0, 1, 1)
			case x.S == 1:
				x.Step("seen", x.S, 1)
			default:
				x.Step("poll", x.S, 0)
			}
		},
	}
	if r := Holds(t, m); r.Ends != 1 || r.States != 4 || r.Depth != 3 {
		t.Errorf("%d ends, %d states, depth %d, want 1, 4, 3", r.Ends, r.States, r.Depth)
	}
}

// The store-buffering litmus test: x=1; r=y against y=1; r=x. Both may read 0
// unless something drains the buffers in between: a fence of each, or on one
// side nothing and on the other a barrier for both.
type litmusLocal struct{ PC, Saw int8 }

func litmus(name string, drain [2]string) Model[[2]uint32, litmusLocal] {
	return Model[[2]uint32, litmusLocal]{
		Name: "store buffering, " + name, Locals: make([]litmusLocal, 2), Buffer: 1,
		Apply: func(s *[2]uint32, word uint8, v uint32) { s[word] = v },
		Done:  func(l litmusLocal) bool { return l.PC == 3 },
		Steps: func(x *X[[2]uint32, litmusLocal]) {
			l := x.L
			l.PC++
			switch x.L.PC {
			case 0:
				x.Store("store mine", uint8(x.Me), 1, l)
			case 1:
				switch drain[x.Me] {
				case "fence":
					x.Atomic("fence", x.S, l)
				case "barrier":
					x.Barrier("barrier", l)
				case "interrupt":
					if !x.Buffered(x.Me) {
						x.Interrupt("interrupt the other", 1-x.Me, l)
					}
				default:
					x.Step("nothing", x.S, l)
				}
			case 2:
				l.Saw = int8(x.Load(uint8(1-x.Me), x.S[1-x.Me]))
				x.Step("load the other's", x.S, l)
			}
		},
		AtEnd: func(_ [2]uint32, l []litmusLocal) string {
			if l[0].Saw+l[1].Saw == 0 {
				return "both read 0"
			}
			return ""
		},
	}
}

func TestStoreBuffering(t *testing.T) {
	Holds(t, litmus("two fences", [2]string{"fence", "fence"}))
	Holds(t, litmus("barrier on one side", [2]string{"", "barrier"}))
	Holds(t, litmus("interrupt by one side", [2]string{"", "interrupt"}))
	Fails(t, litmus("fence on one side", [2]string{"", "fence"}), BadEnd)
	Fails(t, litmus("nothing", [2]string{"", ""}), BadEnd)
}

func TestLimit(t *testing.T) {
	m := ticket(4, false)
	m.Limit = 100
	Fails(t, m, Limit)
}

func TestUnusableModels(t *testing.T) {
	good := peterson(2, true)
	for name, spoil := range map[string]func(m *Model[petersonMem, petersonLocal]){
		"no actor":        func(m *Model[petersonMem, petersonLocal]) { m.Locals = nil },
		"five actors":     func(m *Model[petersonMem, petersonLocal]) { m.Locals = make([]petersonLocal, 5) },
		"buffer too long": func(m *Model[petersonMem, petersonLocal]) { m.Buffer = MaxBuffer + 1 },
		"no Apply":        func(m *Model[petersonMem, petersonLocal]) { m.Apply = nil },
		"no Done":         func(m *Model[petersonMem, petersonLocal]) { m.Done = nil },
	} {
		t.Run(name, func(t *testing.T) {
			m := good
			spoil(&m)
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			Check(m)
		})
	}
}

// recorder checks Holds and Fails themselves.
type recorder struct{ errors int }

func (*recorder) Helper()                 {}
func (*recorder) Logf(string, ...any)     {}
func (r *recorder) Errorf(string, ...any) { r.errors++ }

func TestHoldsAndFailsReport(t *testing.T) {
	var r recorder
	Holds(&r, sleeping(2, false))
	Fails(&r, sleeping(2, true), Stuck)
	Fails(&r, sleeping(2, false), Broken)
	if r.errors != 3 {
		t.Errorf("%d of 3 faults reported", r.errors)
	}
}

func BenchmarkStates(b *testing.B) {
	var states int
	for b.Loop() {
		states += Check(ticket(4, false)).States
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
}
