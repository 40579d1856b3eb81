// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"math"
	"testing"
	"time"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func TestEvenness(t *testing.T) {
	for _, c := range []struct {
		counts       []uint64
		jain, minmax float64
	}{
		{nil, 0, 0},
		{[]uint64{0, 0}, 0, 0},
		{[]uint64{7}, 1, 1},
		{[]uint64{5, 5, 5, 5}, 1, 1},
		{[]uint64{8, 0, 0, 0}, 0.25, 0},
		{[]uint64{1, 3}, 0.8, 1.0 / 3},
		{[]uint64{2, 4, 6}, 144.0 / 168, 1.0 / 3},
	} {
		r := Result{PerGoroutine: c.counts}
		if !near(r.Jain(), c.jain) || !near(r.MinMax(), c.minmax) {
			t.Errorf("%v: Jain %v, MinMax %v, want %v, %v", c.counts, r.Jain(), r.MinMax(), c.jain, c.minmax)
		}
	}
}

func TestContentionCost(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		name        string
		n           int
		hold, think time.Duration
		cpus        int
		nsPerOp     float64
		want        float64
	}{
		{"nothing but the lock", 4, 0, 0, 2, 25, 25},
		{"alone", 1, 50, us, 8, 1070, 20},
		{"CPUs are the limit", 64, 100, 900, 4, 300, 50},
		{"goroutines are the limit", 2, 100, 900, 4, 550, 50},
		{"the section is the limit", 64, 500, us, 4, 620, 120},
		{"fractions of a nanosecond", 64, 0, 100, 3, 50, 50 - 100.0/3},
		{"better than the work allows", 1, 0, us, 1, 995, -5},
		{"no CPU counts as one", 4, 50, 50, 0, 130, 30},
	} {
		r := Result{Ops: 1000, Elapsed: time.Duration(1000 * c.nsPerOp)}
		got := r.ContentionNs(Load{Goroutines: c.n, Hold: c.hold, Think: c.think}, c.cpus)
		if !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRates(t *testing.T) {
	r := Result{Ops: 2000, Elapsed: time.Millisecond}
	if r.Throughput() != 2e6 || r.NsPerOp() != 500 {
		t.Errorf("Throughput %v, NsPerOp %v, want 2e6, 500", r.Throughput(), r.NsPerOp())
	}
	var zero Result
	if zero.Throughput() != 0 || zero.NsPerOp() != 0 || zero.ContentionNs(Load{Goroutines: 1}, 1) != 0 {
		t.Error("an empty result has rates, want 0")
	}
}
