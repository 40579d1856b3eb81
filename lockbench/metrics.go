// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"fmt"
	"strconv"
	"strings"
)

// unit is one metric of a result line.
type unit struct {
	name   string
	better string
	floor  float64 // lesser values are written as this
	of     func(r *Result, l Load) float64
}

// units are the metrics in the order written. The floors are what cannot be told
// from nothing. A 0 would not do: benchstat cannot compare with it, and keeps it
// in a table of its own.
var units = []unit{
	{"ns/op", "lower", 0.01, func(r *Result, _ Load) float64 { return r.NsPerOp() }},
	{"acq/s", "higher", 0.01, func(r *Result, _ Load) float64 { return r.Throughput() }},
	{"contention-ns/op", "lower", 0.1, func(r *Result, l Load) float64 { return r.ContentionNs(l, r.UsableCPUs) }},
	{"p50-ns", "lower", 1, quantile(0.50)},
	{"p99-ns", "lower", 1, quantile(0.99)},
	{"p999-ns", "lower", 1, quantile(0.999)},
	{"max-ns", "lower", 1, quantile(1)},
	{"jain", "higher", 0, func(r *Result, _ Load) float64 { return r.Jain() }},
	{"minmax", "higher", 0, func(r *Result, _ Load) float64 { return r.MinMax() }},
}

func quantile(p float64) func(*Result, Load) float64 {
	return func(r *Result, _ Load) float64 { return float64(r.Wait.Quantile(p)) }
}

// value returns the metric of a result as it is written.
func (u unit) value(r *Result, l Load) float64 { return max(u.floor, u.of(r, l)) }

// UnitLines returns the lines that tell readers of the Go benchmark format which
// way each unit is better. They stand once in a file, before the results.
func UnitLines() string {
	var b strings.Builder
	for _, u := range units {
		fmt.Fprintf(&b, "Unit %s better=%s\n", u.name, u.better)
	}
	return b.String()
}

// BenchLine returns the result as a line of the Go benchmark format, without a
// newline:
//
//	BenchmarkGrid/lock=std/goroutines=2/hold=50ns/think=100ns 123456 101.3 ns/op ...
func (r Result) BenchLine(bench string, lock string, l Load) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Benchmark%s/lock=%s/%s %d", strings.TrimPrefix(bench, "Benchmark"), lock, l.Key(), r.Ops)
	for _, u := range units {
		fmt.Fprintf(&b, " %s %s", number(u.value(&r, l)), u.name)
	}
	return b.String()
}

// number writes a value with about four digits that mean something.
func number(v float64) string {
	decimals := 4
	switch {
	case v >= 1000:
		decimals = 0
	case v >= 100:
		decimals = 1
	case v >= 10:
		decimals = 2
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
