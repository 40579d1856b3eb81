// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"strings"
	"testing"
)

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

func again(from againMem, a int8) Model[againMem, int8] {
	return Model[againMem, int8]{
		Name:   "again and again",
		Shared: from,
		Locals: []int8{a, 0},
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
	Fails(t, again(againMem{}, 0), Livelock)
	Fails(t, again(againMem{Locked: true}, 1), Livelock)
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
	// And so it is while another, who would end it, only may step.
	Fails(t, Model[int8, int8]{
		Name: "optional rescue", Locals: make([]int8, 2),
		Done: func(l int8) bool { return l == 1 },
		Steps: func(x *X[int8, int8]) {
			switch {
			case x.Me == 1:
				x.May("rescue", 1, 1)
			case x.S == 1:
				x.Step("rescued", x.S, 1)
			default:
				x.Step("poll", x.S, 0)
			}
		},
	}, Livelock)
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

// An actor sees its own newest store, and others' not before they arrive; an
// emptied buffer is like one never used.
func TestBuffer(t *testing.T) {
	m := Model[[2]uint32, int8]{Buffer: 2, Apply: func(s *[2]uint32, w uint8, v uint32) { s[w] = v }}
	x := X[[2]uint32, int8]{model: &m, Me: 1, out: func(string) {}}
	start := x.cur
	for _, v := range []uint32{5, 6} {
		x.Store("", 1, v, 0)
		x.cur = x.next
	}
	if got := x.Load(1, 0); got != 6 {
		t.Errorf("own newest store reads %d, want 6", got)
	}
	if got := x.Load(0, 9); got != 9 {
		t.Errorf("a word not stored reads %d, want memory's 9", got)
	}
	for _, want := range []uint32{5, 6} {
		m.flush(&x.cur, 1)
		if got := x.cur.shared[1]; got != want {
			t.Errorf("%d arrives, want %d", got, want)
		}
	}
	if x.cur.buf != start.buf {
		t.Errorf("emptied buffers %v differ from unused ones", x.cur.buf)
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
