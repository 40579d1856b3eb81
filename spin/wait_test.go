// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"sync/atomic"
	"testing"
)

// recorder is a pacer whose functions only write down what they were asked for, and
// whose owner word comes to the waiter's ticket after some looks.
type recorder struct {
	*pacer
	owner   uint32
	waited  uint64 // executions since the last look
	delays  []uint64
	longest uint32 // executions in one call
	yields  int
	naps    int
	left    int // looks, yields and naps until the turn comes
}

func newRecorder(ns float64, looks int) *recorder {
	r := &recorder{left: looks}
	r.pacer = newPacer(instruction{name: "recorded"}, "")
	r.setCost(ns)
	r.relax = func(n uint32) {
		r.waited += uint64(n)
		r.longest = max(r.longest, n)
	}
	r.await = func(_ *uint32, _, gap, polls uint32) uint32 {
		r.longest = max(r.longest, gap*polls)
		for range polls {
			r.relax(gap)
			r.delays = append(r.delays, r.waited)
			r.waited = 0
		}
		r.moment()
		return r.owner
	}
	r.canSpin = func() bool { return true }
	r.yield = func() { r.yields++; r.moment() }
	r.nap = func() { r.naps++; r.moment() }
	return r
}

// moment is one look or yield.
func (r *recorder) moment() {
	if r.left--; r.left <= 0 {
		r.owner = 0
	}
}

// delayAt returns the executions between two looks at distance d.
func delayAt(t *testing.T, ns float64, d uint32) float64 {
	t.Helper()
	r := newRecorder(ns, 2)
	r.owner = -d // the ticket waited for is 0
	r.wait(&r.owner, 0)
	for _, got := range r.delays {
		if got != r.delays[0] {
			t.Fatalf("distance %d: delays %v differ", d, r.delays)
		}
	}
	if r.longest > r.batch {
		t.Errorf("distance %d: %d executions in one call, the bound is %d", d, r.longest, r.batch)
	}
	return float64(r.delays[0])
}

// A waiter at distance d waits d times as long as one at distance 1, within 25 %.
func TestDelayIsProportionalToDistance(t *testing.T) {
	for _, ns := range []float64{0.3, 3, 9, 24, 44, 300, 5000} {
		one := delayAt(t, ns, 1)
		for _, d := range []uint32{2, 3, 4, 7, 16, 33, 100, maxDistance} {
			if got := delayAt(t, ns, d) / one; got < 0.75*float64(d) || got > 1.25*float64(d) {
				t.Errorf("at %.1f ns: distance %d waits %.2f times as long as distance 1", ns, d, got)
			}
		}
		if far, most := delayAt(t, ns, 1<<31), delayAt(t, ns, maxDistance); far != most {
			t.Errorf("at %.1f ns: delay %.0f beyond the greatest distance, want %.0f", ns, far, most)
		}
	}
}

func TestRoundIsATime(t *testing.T) {
	for _, c := range []struct {
		ns           float64
		round, batch uint32
	}{
		{0, 320, 10000}, {0.25, 128, 4000}, {3, 11, 333}, {24, 1, 41}, {44, 1, 22}, {5000, 1, 1}, {1e9, 1, 1},
	} {
		p := newPacer(generic(), "")
		p.setCost(c.ns)
		if p.round != c.round || p.batch != c.batch {
			t.Errorf("at %v ns: round %d batch %d, want %d and %d", c.ns, p.round, p.batch, c.round, c.batch)
		}
	}
}

func TestWaiterYieldsThenNaps(t *testing.T) {
	const looks = 2 * napAfter
	for _, c := range []struct {
		name         string
		spin         bool
		yields, naps int
	}{
		{"at once when spinning cannot pay", false, napAfter, looks - napAfter},
		{"after idle looks", true, napAfter - maxIdle, looks - napAfter},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRecorder(24, looks)
			r.owner = ^uint32(0)
			r.canSpin = func() bool { return c.spin }
			r.wait(&r.owner, 0)
			if r.yields != c.yields || r.naps != c.naps {
				t.Errorf("%d yields and %d naps in %d looks, want %d and %d", r.yields, r.naps, looks, c.yields, c.naps)
			}
		})
	}
}

// Whoever sees the queue move goes on spinning.
func TestWaiterSpinsWhileTheQueueMoves(t *testing.T) {
	r := newRecorder(24, 1)
	r.owner -= 3 * maxIdle
	r.await = func(*uint32, uint32, uint32, uint32) uint32 { r.owner++; return r.owner }
	r.wait(&r.owner, 0)
	if r.yields != 0 {
		t.Errorf("%d yields in a moving queue, want 0", r.yields)
	}
}

func awaits() map[string]awaitFunc {
	all := map[string]awaitFunc{}
	for _, in := range instructions() {
		if in.safe {
			all[in.name] = newPacer(in, "").await
			all[in.name+" in Go"] = newPacer(instruction{relax: in.relax}, "").await
		}
	}
	return all
}

func TestAwait(t *testing.T) {
	for name, await := range awaits() {
		owner := uint32(7)
		for _, c := range []struct{ seen, gap, polls, want uint32 }{
			{7, 1, 1, 7}, {7, 3, 5, 7}, {7, 0, 2, 7}, {6, 1, 1, 7}, {6, 2, 1 << 30, 7}, {^uint32(0), 1, 1 << 30, 7},
		} {
			if got := await(&owner, c.seen, c.gap, c.polls); got != c.want {
				t.Errorf("%s: await(seen %d, gap %d, polls %d) = %d, want %d", name, c.seen, c.gap, c.polls, got, c.want)
			}
		}
	}
}

// Every body of await sees a store made while it waits.
func TestAwaitSeesTheStore(t *testing.T) {
	for name, await := range awaits() {
		var owner uint32
		go atomic.StoreUint32(&owner, 1)
		for await(&owner, 0, 1, 4) == 0 {
			newPacer(generic(), "").yield()
		}
		if got := await(&owner, 0, 1, 1<<30); got != 1 {
			t.Errorf("%s: saw %d, want 1", name, got)
		}
	}
}
