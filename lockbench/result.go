// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import "time"

// A Result is what one run measured.
type Result struct {
	Ops          uint64        // acquisitions in the measured time
	Elapsed      time.Duration // the measured time
	PerGoroutine []uint64      // acquisitions of each goroutine; they sum to Ops
	Wait         Histogram     // how long acquisitions waited, see the package comment
	Sampled      uint64        // waits that were timed to make Wait
	UsableCPUs   int           // as UsableCPUs said when it ran
}

// Throughput returns acquisitions a second.
func (r Result) Throughput() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.Ops) / r.Elapsed.Seconds()
}

// NsPerOp returns the measured time divided by the acquisitions, in nanoseconds.
func (r Result) NsPerOp() float64 {
	if r.Ops == 0 {
		return 0
	}
	return float64(r.Elapsed) / float64(r.Ops)
}

// ContentionNs returns the contention cost: the nanoseconds an acquisition took
// above a perfect lock, which costs nothing and keeps the CPUs or else the
// critical section busy all the time:
//
//	elapsed/operations - max(hold, (hold+think)/P), P = min(goroutines, usableCPUs)
//
// It is a difference. With much hold or think a few percent of error in those are
// more than the lock costs, and the result can be below 0. CPU time that went to
// others (Calibration.Lost) is in it, too.
func (r Result) ContentionNs(load Load, usableCPUs int) float64 {
	if r.Ops == 0 {
		return 0
	}
	p := float64(max(1, min(load.Goroutines, usableCPUs)))
	ideal := max(float64(load.Hold), float64(load.Hold+load.Think)/p)
	return r.NsPerOp() - ideal
}

// Jain returns the fairness index of the goroutines' counts (Jain, Chiu and
// Hawe 1984): 1 when all got the same, 1/n when one of n got everything.
func (r Result) Jain() float64 {
	var sum, squares float64
	for _, n := range r.PerGoroutine {
		sum += float64(n)
		squares += float64(n) * float64(n)
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / (float64(len(r.PerGoroutine)) * squares)
}

// MinMax returns the count of the goroutine that got least over that of the one
// that got most: 1 is even, 0 is a goroutine that got nothing.
func (r Result) MinMax() float64 {
	if len(r.PerGoroutine) == 0 {
		return 0
	}
	least, most := r.PerGoroutine[0], r.PerGoroutine[0]
	for _, n := range r.PerGoroutine {
		least, most = min(least, n), max(most, n)
	}
	if most == 0 {
		return 0
	}
	return float64(least) / float64(most)
}
