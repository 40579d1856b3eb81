// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import "time"

// quick is the part of the grid that shows the shape of it in under a minute:
// nothing but the lock, a short section seldom taken, and a section long enough
// that the lock is always wanted.
var quick = Suite{
	Name:    "quick",
	Doc:     "18 loads of the grid, in under a minute for two locks",
	Bench:   "BenchmarkGrid",
	Loads:   quickLoads(),
	Cell:    80 * time.Millisecond,
	Samples: 10,
}

func quickLoads() []Load {
	var loads []Load
	for _, work := range []struct{ hold, think time.Duration }{
		{0, 0}, {50, time.Microsecond}, {500, time.Microsecond},
	} {
		loads = append(loads, cross(gridGoroutines, []time.Duration{work.hold}, []time.Duration{work.think})...)
	}
	return loads
}
