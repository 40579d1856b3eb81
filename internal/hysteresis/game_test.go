// SPDX-License-Identifier: BSD-3-Clause

package hysteresis

import (
	"math/rand/v2"

	"github.com/turnstile-go/turnstile/internal/race"
)

// The game: a trace of events, each losing something in either mode, is given
// to a rule that does not know what comes, and to a dynamic program that does.
// All costs are in whole nanoseconds.

// event is what one operation loses in the cheap [0] and the robust mode [1].
// A forced one cannot be done in the cheap mode.
type event struct {
	loss   [2]int64
	forced bool
}

type price struct{ enter, leave int64 }

func (p price) trip() int64 { return p.enter + p.leave }

// best is the cost of the cheapest schedule that starts in the cheap mode.
func best(p price, trace []event) int64 {
	const never = 1 << 50
	cheap, robust := int64(0), p.enter
	for _, e := range trace {
		cheap += e.loss[0]
		robust += e.loss[1]
		if e.forced {
			cheap = never
		}
		cheap, robust = min(cheap, robust+p.leave), min(robust, cheap+p.enter)
	}
	return min(cheap, robust)
}

// rule is a policy under test: it hears what the present mode lost more or
// less than the other would have, and says whether to leave.
type rule interface {
	reset()
	lose(ns int64) bool
	gain(ns int64)
}

// shipped is the rule as the locks use it.
type shipped struct {
	a    Account
	pair uint64
}

func (r *shipped) reset() { r.a = 0 }
func (r *shipped) lose(ns int64) (leave bool) {
	r.a, leave = r.a.Lose(Adaptive, ratio(uint32(ns*1000), r.pair))
	return leave
}
func (r *shipped) gain(ns int64) {
	r.a, _ = r.a.Gain(Adaptive, ratio(uint32(ns*1000), r.pair))
}

// small is the rule with an account of n bits.
type small struct {
	n      Bits
	a      uint32
	pair   uint64
	dither *rand.Rand // nil: rounds up
}

func (r *small) chance() uint32 {
	if r.dither == nil {
		return RoundUp
	}
	return r.dither.Uint32()
}

func (r *small) reset() { r.a = 0 }
func (r *small) lose(ns int64) (leave bool) {
	r.a, leave = r.n.Lose(r.a, ratio(uint32(ns*1000), r.pair), r.chance())
	return leave
}
func (r *small) gain(ns int64) {
	r.a = r.n.Gain(r.a, ratio(uint32(ns*1000), r.pair), r.chance())
}

// plain is the rule without fixed-point numbers, with the places where it can
// be wrong.
type plain struct {
	at        int64 // leaves when it has lost this much
	keeps     bool  // a new mode starts with the old account
	saves     bool  // gains are saved up without bound
	deaf      bool  // never leaves the robust mode
	account   int64
	inChanges int
}

func (r *plain) reset() {
	r.inChanges++
	if !r.keeps {
		r.account = 0
	}
}
func (r *plain) lose(ns int64) bool {
	r.account += ns
	return r.account >= r.at && !(r.deaf && r.inChanges%2 == 1)
}
func (r *plain) gain(ns int64) {
	if r.account -= ns; r.account < 0 && !r.saves {
		r.account = 0
	}
}

// play is the rule's cost, and how often it changed the mode. next makes the
// trace and may look at the mode; the trace so made is returned too.
func play(p price, r rule, n int, next func(i, mode int) event) (cost int64, changes int, trace []event) {
	mode := 0
	change := func() {
		cost += [2]int64{p.enter, p.leave}[mode]
		mode = 1 - mode
		changes++
		r.reset()
	}
	for i := range n {
		e := next(i, mode)
		trace = append(trace, e)
		if e.forced {
			if mode == 0 {
				change()
			} else {
				r.gain(p.trip()) // the mode was needed: start afresh
			}
		}
		cost += e.loss[mode]
		switch d := e.loss[mode] - e.loss[1-mode]; {
		case d > 0:
			if r.lose(d) {
				change()
			}
		case d < 0:
			r.gain(-d)
		}
	}
	return cost, changes, trace
}

// source makes events up to size e.
type source struct {
	name string
	make func(rng *rand.Rand, e int64) func(i, mode int) event
}

var sources = []source{
	{"adversary", func(_ *rand.Rand, e int64) func(int, int) event {
		return func(_, mode int) (ev event) { ev.loss[mode] = e; return ev }
	}},
	{"adversary now and then", func(rng *rand.Rand, e int64) func(int, int) event {
		return func(_, mode int) (ev event) { ev.loss[mode^rng.IntN(8)/7] = 1 + rng.Int64N(e); return ev }
	}},
	{"coin", func(rng *rand.Rand, e int64) func(int, int) event {
		return func(int, int) (ev event) { ev.loss[rng.IntN(2)] = 1 + rng.Int64N(e); return ev }
	}},
	{"both lose", func(rng *rand.Rand, e int64) func(int, int) event {
		return func(int, int) event { return event{loss: [2]int64{rng.Int64N(e + 1), rng.Int64N(e + 1)}} }
	}},
	{"long calm, long storm", func(rng *rand.Rand, e int64) func(int, int) event {
		bad, left := 0, 0
		return func(int, int) (ev event) {
			if left == 0 {
				bad, left = 1-bad, 1+rng.IntN(600)
			}
			left--
			ev.loss[bad^rng.IntN(20)/19] = 1 + rng.Int64N(e)
			return ev
		}
	}},
	{"calm, then adversary", func(rng *rand.Rand, e int64) func(int, int) event {
		return func(i, mode int) (ev event) {
			if i%2000 < 1000 {
				mode = 1 - mode
			}
			ev.loss[mode] = 1 + rng.Int64N(e)
			return ev
		}
	}},
}

var prices = []price{{50, 50}, {100, 96}, {1, 99}, {99, 1}, {7, 13}, {0, 40}, {40, 0}, {300, 5}}

// seeds is how often each game is played: fewer times under the race detector,
// which has nothing to find here and makes arithmetic twenty times slower.
func seeds() uint64 {
	if race.Enabled {
		return 1
	}
	return 4
}

// games plays a kind of rule on all sources and prices, with events of up to e
// nanoseconds, and reports to f.
func games(e int64, mk func(p price) rule, f func(name string, p price, cost, opt int64)) {
	for _, src := range sources {
		for k, p := range prices {
			for seed := range seeds() {
				next := src.make(rand.New(rand.NewPCG(seed, uint64(k))), e)
				cost, _, trace := play(p, mk(p), 4000, next)
				f(src.name, p, cost, best(p, trace))
			}
		}
	}
}

func newShipped(p price) rule { return &shipped{pair: pack(p.enter, p.leave)} }
