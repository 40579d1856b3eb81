// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"time"
)

// compute runs n rounds of a linear congruential generator: each round needs the
// one before, touches no memory and takes about a nanosecond. The caller keeps
// the result, so the work cannot be optimised away. It is plain Go in a loop,
// which the scheduler and the collector can interrupt; it must not be inlined,
// or it would not take the time that was measured.
//
//go:noinline
func compute(x uint, n int) uint {
	for ; n > 0; n-- {
		x = x*1664525 + 1013904223
	}
	return x
}

// pace is how fast compute is on this machine.
type pace struct {
	round float64 // ns for each round
	call  float64 // ns for a call without rounds
}

// measuredPace measures the pace once in the process.
var measuredPace = sync.OnceValue(measurePace)

// rounds returns the rounds of compute that take d.
func (p pace) rounds(d time.Duration) int {
	if d <= 0 {
		return 0
	}
	return max(1, int(math.Round((float64(d)-p.call)/p.round)))
}

// measurePace times long calls for the cost of a round, then short calls for
// what a call adds.
func measurePace() pace {
	const long, short = 20_000, 8
	timeCalls(200, long) // a CPU that idled needs milliseconds to reach its speed
	p := pace{round: timeCalls(50, long) / long}
	p.call = max(0, timeCalls(50*long/short/8, short)-short*p.round)
	return p
}

// timeCalls returns the nanoseconds of a call of compute with n rounds. It times
// batches that take about 20 microseconds, short beside a time slice, and gives
// the lower quartile of them: an interrupt or a neighbour makes a batch slower,
// nothing makes it faster.
func timeCalls(calls, n int) float64 {
	batch := max(1, 20_000/(n+2))
	var took []float64
	x := uint(calls)
	for ; calls > 0; calls -= batch {
		start := now()
		for range batch {
			x = compute(x, n)
		}
		took = append(took, (float64(now()-start)-clockCost())/float64(batch))
	}
	runtime.KeepAlive(x)
	return quartile(took)
}

// quartile returns the lower quartile of values, which it sorts.
func quartile(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/4]
}

// epoch makes now a plain number.
var epoch = time.Now()

// now reads the monotonic clock in nanoseconds.
func now() int64 { return int64(time.Since(epoch)) }

// clockCost is what one reading of the clock takes, in nanoseconds.
var clockCost = sync.OnceValue(func() float64 {
	const readings = 500
	best := math.Inf(1)
	for range 20 {
		start := now()
		for range readings {
			now()
		}
		best = min(best, float64(now()-start)/(readings+1))
	}
	return max(best, 1) // a coarse clock may not have moved
})
