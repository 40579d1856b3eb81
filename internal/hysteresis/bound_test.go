// SPDX-License-Identifier: BSD-3-Clause

package hysteresis

import (
	"math/rand/v2"
	"testing"
)

// I3 without the e terms: events of 1 ns fill the account exactly.
func TestThreeTimesBest(t *testing.T) {
	worst := 0.0
	games(1, newShipped, func(name string, p price, cost, opt int64) {
		if cost > 3*opt+p.trip() {
			t.Errorf("%s, %v: cost %d, best %d: more than 3 times and a round trip", name, p, cost, opt)
		}
		if opt > 10*p.trip() {
			worst = max(worst, float64(cost)/float64(opt))
		}
	})
	t.Logf("worst ratio %.3f", worst)
	if worst < 2.9 {
		t.Errorf("worst ratio %.3f: the traces do not test the bound", worst)
	}
}

// I3 with events that are not small against the round trip.
func TestThreeTimesBestLargeEvents(t *testing.T) {
	for _, e := range []int64{2, 7, 20} {
		games(e, newShipped, func(name string, p price, cost, opt int64) {
			r := p.trip()
			if cost*r > (3*r+2*e)*opt+(r+e)*r {
				t.Errorf("%s, %v, events up to %d: cost %d, best %d", name, p, e, cost, opt)
			}
		})
	}
}

// The shipped rule and the plain one decide alike.
func TestShippedIsPlain(t *testing.T) {
	type outcome struct{ cost, opt int64 }
	var want []outcome
	games(1, func(p price) rule { return &plain{at: p.trip()} }, func(_ string, _ price, cost, opt int64) {
		want = append(want, outcome{cost, opt})
	})
	games(1, newShipped, func(name string, p price, cost, opt int64) {
		if (outcome{cost, opt}) != want[0] {
			t.Errorf("%s, %v: cost %d of %d, plain rule %v", name, p, cost, opt, want[0])
		}
		want = want[1:]
	})
}

// Every wrong rule breaks the bound on some trace.
func TestWrongRules(t *testing.T) {
	for name, mk := range map[string]func(p price) rule{
		"leaves once the entry is earned back": func(p price) rule { return &plain{at: p.enter} },
		"leaves after half a round trip":       func(p price) rule { return &plain{at: p.trip() / 2} },
		"leaves after two round trips":         func(p price) rule { return &plain{at: 2 * p.trip()} },
		"leaves at the first loss":             func(p price) rule { return &plain{at: 1} },
		"starts a mode with the old account":   func(p price) rule { return &plain{at: p.trip(), keeps: true} },
		"saves up gains":                       func(p price) rule { return &plain{at: p.trip(), saves: true} },
		"never leaves the robust mode":         func(p price) rule { return &plain{at: p.trip(), deaf: true} },
	} {
		broken := 0
		games(1, mk, func(_ string, p price, cost, opt int64) {
			if cost > 3*opt+p.trip() {
				broken++
			}
		})
		if broken == 0 {
			t.Errorf("a rule that %s passes", name)
		}
	}
}

// The number in the design: entry alone earned back, leaving 0.96 as dear.
func TestEntryOnlyCostsMore(t *testing.T) {
	p := price{100, 96}
	next := sources[0].make(nil, 1)
	cost, _, trace := play(p, &plain{at: p.enter}, 200_000, next)
	if got := float64(cost) / float64(best(p, trace)); got < 3.95 || got > 3.97 {
		t.Errorf("entry-only rule at %.3f times the best, want 3.96", got)
	}
	cost, _, trace = play(p, newShipped(p), 200_000, next)
	if got := float64(cost) / float64(best(p, trace)); got < 2.99 || got > 3.01 {
		t.Errorf("round-trip rule at %.3f times the best, want 3.00", got)
	}
}

// forcedSources make entries that are forced and gaps in which only the robust
// mode loses.
var forcedSources = map[string]func(rng *rand.Rand, r int64) func(i, mode int) event{
	"as soon as it has left": func(_ *rand.Rand, _ int64) func(int, int) event {
		return func(_, mode int) event { return event{loss: [2]int64{0, int64(mode)}, forced: mode == 0} }
	},
	"at random": func(rng *rand.Rand, r int64) func(int, int) event {
		return func(int, int) event { return event{loss: [2]int64{0, 1}, forced: rng.Int64N(r) == 0} }
	},
	"long gaps": func(rng *rand.Rand, r int64) func(int, int) event {
		return func(int, int) event { return event{loss: [2]int64{0, 1}, forced: rng.Int64N(5*r) == 0} }
	},
	"just before the end": func(_ *rand.Rand, r int64) func(int, int) event {
		return func(i, _ int) event { return event{loss: [2]int64{0, 1}, forced: int64(i)%(r-1) == 0} }
	},
}

func forcedGames(mk func(p price) rule, f func(name string, p price, cost, opt int64)) {
	for name, src := range forcedSources {
		for k, p := range prices {
			next := src(rand.New(rand.NewPCG(1, uint64(k))), p.trip())
			cost, _, trace := play(p, mk(p), 8000, next)
			f(name, p, cost, best(p, trace))
		}
	}
}

// I4.
func TestTwiceBestWhereForced(t *testing.T) {
	worst := 0.0
	forcedGames(newShipped, func(name string, p price, cost, opt int64) {
		if cost > 2*opt+p.trip() {
			t.Errorf("forced %s, %v: cost %d, best %d: more than 2 times and a round trip", name, p, cost, opt)
		}
		worst = max(worst, float64(cost)/float64(opt))
	})
	t.Logf("worst ratio %.3f", worst)
	if worst < 1.95 {
		t.Errorf("worst ratio %.3f: the traces do not test the bound", worst)
	}
	for name, mk := range map[string]func(p price) rule{
		"leaves after half a round trip":   func(p price) rule { return &plain{at: p.trip() / 2} },
		"leaves after two round trips":     func(p price) rule { return &plain{at: 2 * p.trip()} },
		"leaves once the leaving is saved": func(p price) rule { return &plain{at: max(p.leave, 1)} },
		"never leaves":                     func(p price) rule { return &plain{at: 1 << 40} },
	} {
		broken := 0
		forcedGames(mk, func(_ string, p price, cost, opt int64) {
			if cost > 2*opt+p.trip() {
				broken++
			}
		})
		if broken == 0 {
			t.Errorf("a rule that %s passes", name)
		}
	}
}

// Twice the measured cost of switching, half the switches.
func TestDoubledCostHalvesSwitches(t *testing.T) {
	const n = 20_000
	for _, p := range prices {
		count := func(p price) int {
			_, changes, _ := play(p, newShipped(p), n, sources[0].make(nil, 1))
			return changes
		}
		once, twice := count(p), count(price{2 * p.enter, 2 * p.leave})
		// Whole visits in n events: floor(n/R) against floor(n/2R), so the
		// second is the half of the first, rounded down.
		if twice != once/2 {
			t.Errorf("%v: %d switches, at twice the cost %d, want %d", p, once, twice, once/2)
		}
	}
}

// I6, rounded up: the bound grows by 1/s, s units an event.
func TestSmallAccounts(t *testing.T) {
	for _, n := range []Bits{4, 8, 12, 16, 31} {
		mk := func(p price) rule { return &small{n: n, pair: pack(p.enter, p.leave)} }
		worst := 0.0
		games(1, mk, func(name string, p price, cost, opt int64) {
			s := float64(n.Full()) / float64(p.trip())
			if s < 1 {
				s = 1 / (1/s - 1) // an event counts one unit: 1/s times too much
			}
			bound := (3 + 3/s) * float64(opt)
			if float64(cost) > bound+float64(p.trip())+0.5 {
				t.Errorf("%d bits, %s, %v: cost %d, best %d", n, name, p, cost, opt)
			}
			if opt > 10*p.trip() {
				worst = max(worst, float64(cost)/float64(opt))
			}
		})
		t.Logf("%d bits, rounded up: worst ratio %.3f", n, worst)
	}
}

// I6, dithered: 3000 events make a round trip, an event is a twelfth of a
// unit of 8 bits. Visits last a round trip on average and scatter as stated.
func TestDither(t *testing.T) {
	const perTrip, visits, n = 3000, 4000, Bits(8)
	rng := rand.New(rand.NewPCG(7, 7))
	s := ratio(3000, pack(6000, 3000)) // 3 ns of 9000
	var sum, squares float64
	for range visits {
		a, length := uint32(0), 0
		for leave := false; !leave && length < 100*perTrip; length++ {
			a, leave = n.Lose(a, s, rng.Uint32())
		}
		x := float64(length) / perTrip
		sum += x
		squares += x * x
	}
	mean := sum / visits
	sd := squares/visits - mean*mean
	bound := 1 / float64(n.Full())
	t.Logf("mean %.4f round trips, variance %.5f, bound %.5f", mean, sd, bound)
	// The mean of 4000 visits of deviation 0.06 is good to 0.001; five of it.
	if mean < 0.995 || mean > 1.005 {
		t.Errorf("visits last %.4f round trips on average", mean)
	}
	if sd > bound {
		t.Errorf("variance %.5f above %.5f", sd, bound)
	}
	// Rounded up such an event counts a whole unit: 12 times too much.
	a, length := uint32(0), 0
	for leave := false; !leave && length < 1000; length++ {
		a, leave = n.Lose(a, s, RoundUp)
	}
	// Against the adversary the scatter costs something: the best schedule
	// profits from short visits. 0.25 is four deviations of one visit.
	p := price{1500, 1500}
	r := &small{n: n, pair: pack(p.enter, p.leave), dither: rng}
	cost, _, trace := play(p, r, 900_000, sources[0].make(nil, 1))
	got := float64(cost) / float64(best(p, trace))
	t.Logf("dithered against the adversary: %.3f times the best", got)
	if got > 3.25 {
		t.Errorf("dithered against the adversary: %.3f times the best", got)
	}
	if length != 255 {
		t.Errorf("rounded up: %d events, want 255", length)
	}
}
