// SPDX-License-Identifier: BSD-3-Clause

package hysteresis

// A Clock returns nanoseconds from some fixed moment, never going back. The
// locks pass the runtime's; tests pass their own.
type Clock func() int64

// calibrations is how often Calibrate goes there and back. An odd number has
// a middle; eleven bear five disturbed rounds.
const calibrations = 11

// Calibrate measures both costs by changing the mode to and fro, and sets
// them to the medians. It is for a goroutine in the background, on a lock or
// a process-wide mode made for it; enter and leave must do what a real change
// does, with as many CPUs running as a real change would meet.
func (c *Costs) Calibrate(clock Clock, enter, leave func()) {
	var in, out [calibrations]int64
	for i := range in {
		t0 := clock()
		enter()
		t1 := clock()
		leave()
		in[i], out[i] = t1-t0, clock()-t1
	}
	c.Set(median(&in), median(&out))
}

// median sorts v by insertion and returns the middle.
func median(v *[calibrations]int64) int64 {
	for i := 1; i < len(v); i++ {
		for j := i; j > 0 && v[j] < v[j-1]; j-- {
			v[j], v[j-1] = v[j-1], v[j]
		}
	}
	return v[len(v)/2]
}
