// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"sync/atomic"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/hysteresis"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// turns bounds barging while others sleep.
//
// Note: a turn of 8 us takes 0.9 of the standard Mutex's throughput where sections are 5 us
// and many wait, for a handoff that has to wake an idle processor costs up to 2 us; 16 us
// takes 1.0, and leaves p99.9 of the wait at 0.13 of the standard one's; with 24 us that is
// 0.19. And while sections are so short that 1200 fit into 80 us a turn lasts as many, so
// that fewer than one acquisition in a thousand waits for a turn.
var turns = quantum{shortest: 32, longest: 160, sections: 1200}

// Spinning before a sleep, in ns: pauses that double, and how many of them. It is worth
// more than a sleep and a wake take, because it keeps the other processor from idling.
const (
	spinFirst = int64(150)
	spinLast  = int64(1500)
	spinTries = 8
)

func now() coarse { return coarseOf(rt.Nanotime()) }

// pauseNs is 64 times the length of one round of Procyield, 0 before it was measured.
var pauseNs atomic.Int64

// relax pauses for about ns, 10 us at most.
func relax(ns int64) {
	p := pauseNs.Load()
	if p == 0 {
		p = measurePause()
	}
	rt.Procyield(uint32(min(max(ns*64/p, 1), 5000)))
}

// shortest is what f takes, in ns, at the best of four tries: a host may take the CPU away
// in some.
func shortest(f func()) int64 {
	best := int64(1 << 40)
	for range 4 {
		t := rt.Nanotime()
		f()
		best = min(best, rt.Nanotime()-t)
	}
	return best
}

// measurePause measures pauseNs.
func measurePause() int64 {
	ns := max(shortest(func() { rt.Procyield(64) }), 64) // a nanosecond a round where it does nothing
	pauseNs.Store(ns)
	return ns
}

// costs are those of the fenced mode of all locks: entering it costs a barrier and
// leaving nothing, and each fenced release that wakes nobody loses the fence.
var costs hysteresis.Costs

const eventQuiet hysteresis.Event = 0

// quietLimit is how many quiet releases in a row end the fenced mode; 0 = not yet known.
var quietLimit atomic.Uint32

const (
	quietBlock = 256 // the limit is looked at after so many
	quietMost  = 1 << 15
)

// quiet leaves the fenced mode when it has lost as much as it costs to come back.
func (m *Mutex) quiet(c ctl) {
	if next, ok := c.quiet(limit()); ok {
		m.cas(c, next) // edge F: if anything has changed meanwhile, somebody may be on the way to the queue
	}
}

// limit computes quietLimit once the cost of a barrier is known.
func limit() uint32 {
	if n := quietLimit.Load(); n != 0 {
		return n
	}
	_, busy := asym.Costs()
	if busy == 0 {
		return quietBlock
	}
	costs.Set(busy, 0)
	costs.SetLoss(eventQuiet, fenceLoss())
	n := uint32(hysteresis.Bits(31).Full() / uint32(max(costs.Step(eventQuiet), 1)))
	n = min(max(n, quietBlock), quietMost)
	quietLimit.Store(n)
	return n
}

// fenceLoss is what a locked instruction takes, in ps.
func fenceLoss() int64 {
	var w atomic.Uint32
	const rounds = 256
	ns := shortest(func() {
		for range rounds {
			w.Add(1)
		}
	})
	return max(ns, 1) * 1000 / rounds
}
