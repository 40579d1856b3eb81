// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/turnstile-go/turnstile/numa"
)

// Bench measures a lock inside a benchmark function, each load as a benchmark
// of its own, named as in the suites. To compare a lock with others, call it for
// each of them in the same function, what the others are divided by first:
//
//	func BenchmarkCache(b *testing.B) {
//		lockbench.Bench(b, "std", func() sync.Locker { return new(sync.Mutex) })
//		lockbench.Bench(b, "mine", func() sync.Locker { return new(MyLock) })
//	}
//
// prints lines that start BenchmarkCache/lock=std/goroutines=1/hold=0/think=0.
// Six samples or more make an interval of 95 %, ten a narrower one:
//
//	go test -run '^$' -bench Cache -benchtime 50ms -count 10 | tee mine.txt
//	go run github.com/turnstile-go/turnstile/cmd/benchstat-report show mine.txt
//	benchstat -col /lock mine.txt
//
// A benchmark is b.N acquisitions, all goroutines together, so -benchtime, -count
// and -cpu mean what they always do. Without loads it takes those of the suite
// "quick". The first call in a process prints what describes the machine and the
// units. -count takes all samples of a lock before those of the next, so a machine
// whose speed drifts meanwhile favours one of them; a lock that an init function
// gives to Register is measured in turns with std by RunSuite.
func Bench(b *testing.B, name string, make func() sync.Locker, loads ...Load) {
	b.Helper()
	if len(loads) == 0 {
		loads = quick.Loads
	}
	benchAll(b, []Lock{{name, make}}, loads)
}

// BenchSuite measures locks under the loads of a suite inside a benchmark
// function, as Bench does. The locks take turns under each load, the first one
// first, as near to interleaving as go test comes: -count repeats one lock before
// the next. Without locks it takes the suite's.
func BenchSuite(b *testing.B, s Suite, locks ...Lock) {
	b.Helper()
	if len(locks) == 0 {
		var err error
		if locks, err = Locks(s.Locks...); err != nil {
			b.Fatal(err)
		}
	}
	benchAll(b, locks, s.Loads)
}

// benchAll is a benchmark for each load and lock.
func benchAll(b *testing.B, locks []Lock, loads []Load) {
	b.Helper()
	for _, l := range locks {
		if err := checkLock(l.Name, l.New); err != nil {
			b.Fatal(err)
		}
	}
	if b.Name() != "" { // testing.Benchmark has no name and prints no results
		header.Do(func() { printHeader(b) })
	}
	for _, load := range loads {
		for _, l := range locks {
			b.Run(cellName(l.Name, load), func(b *testing.B) { benchOne(b, l, load) })
		}
	}
}

// benchOne is one run of one benchmark.
func benchOne(b *testing.B, l Lock, load Load) {
	r, err := runN(b.Context(), l.New(), load, b.N)
	if err != nil {
		b.Fatal(err)
	}
	for _, u := range units {
		// This ns/op replaces the one of package testing, whose time includes
		// starting the goroutines and waiting for those that find the work done.
		b.ReportMetric(u.value(&r, load), u.name)
	}
}

// header is printed by the first benchmark of the process.
var header sync.Once

// printHeader prints to standard output, where package testing prints results.
func printHeader(b *testing.B) {
	c, err := Calibrate(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	t, _ := numa.Host() // FileKeys does without
	fmt.Fprintln(os.Stdout, headerText(FileKeys(t, c), c, callingPackage(pkgPath)))
}

// headerText is the file keys, the calibration as a line that readers of the
// format pass over, and the units. The keys that package testing prints as well
// are in it, because after a testing.Benchmark, as in an example, it does not
// print them.
func headerText(keys []KeyValue, c Calibration, pkg string) string {
	var out strings.Builder
	for _, kv := range keys {
		if kv.Key == "pkg" {
			kv.Value = pkg
		}
		fmt.Fprintf(&out, "%s: %s\n", kv.Key, kv.Value)
	}
	fmt.Fprintf(&out, "# %s\n\n%s", c, UnitLines())
	return out.String()
}

// callingPackage returns the import path of the package whose benchmark called
// into this one, or the given path when that is this one.
func callingPackage(path string) string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		if pkg := packageOf(f.Function); pkg != path && pkg != "sync" && pkg != "" {
			if pkg == "testing" { // reached the caller of the benchmark
				return path
			}
			return strings.TrimSuffix(pkg, "_test")
		}
		if !more {
			return path
		}
	}
}

// packageOf returns the import path in a function's full name.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[slash:], '.')
	if dot < 0 {
		return ""
	}
	return function[:slash+dot]
}
