// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import "time"

// gridGoroutines are one, as many as small machines have CPUs, and many more.
var gridGoroutines = []int{1, 2, 4, 16, 64, 1024}

// grid is every combination of goroutines, hold and think.
var grid = Suite{
	Name:  "grid",
	Doc:   "96 loads: 6 numbers of goroutines, 4 critical sections, 4 pauses between them",
	Bench: "BenchmarkGrid",
	Loads: cross(gridGoroutines,
		[]time.Duration{0, 50, 500, 5 * time.Microsecond},
		[]time.Duration{0, 100, time.Microsecond, 10 * time.Microsecond}),
	Cell:    200 * time.Millisecond,
	Samples: 10,
}
