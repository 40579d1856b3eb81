// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"strings"
	"testing"
	"time"
)

func TestBenchLine(t *testing.T) {
	r := Result{Ops: 2000, Elapsed: time.Millisecond, PerGoroutine: []uint64{500, 1500}, UsableCPUs: 2}
	r.Wait.add(40, 1980)
	r.Wait.add(300, 20)
	load := Load{Goroutines: 2, Hold: 50, Think: 100}
	const want = "BenchmarkGrid/lock=std/goroutines=2/hold=50ns/think=100ns 2000 500.0 ns/op 2000000 acq/s " +
		"425.0 contention-ns/op 40.00 p50-ns 40.00 p99-ns 300.0 p999-ns 300.0 max-ns 0.8000 jain 0.3333 minmax"
	for _, bench := range []string{"Grid", "BenchmarkGrid"} {
		if got := r.BenchLine(bench, "std", load); got != want {
			t.Errorf("BenchLine(%q):\n%s\nwant\n%s", bench, got, want)
		}
	}
}

func TestNoValueThatBenchstatCannotTake(t *testing.T) {
	r := Result{Ops: 1, Elapsed: time.Nanosecond, PerGoroutine: []uint64{1}, UsableCPUs: 1}
	line := r.BenchLine("Grid", "std", Load{Goroutines: 1, Hold: time.Microsecond})
	for _, want := range []string{" 0.1000 contention-ns/op", " 1.0000 p50-ns"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q not in %q", want, line)
		}
	}
}

func TestUnitLines(t *testing.T) {
	const want = `Unit ns/op better=lower
Unit acq/s better=higher
Unit contention-ns/op better=lower
Unit p50-ns better=lower
Unit p99-ns better=lower
Unit p999-ns better=lower
Unit max-ns better=lower
Unit jain better=higher
Unit minmax better=higher
`
	if got := UnitLines(); got != want {
		t.Errorf("UnitLines:\n%s\nwant\n%s", got, want)
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.0000", 0.98765: "0.9877", 9.87654: "9.8765", 12.345: "12.35", 123.45: "123.5", 1234.5: "1234", 6.6e7: "66000000",
	} {
		if got := number(v); got != want {
			t.Errorf("number(%v) = %s, want %s", v, got, want)
		}
	}
}
