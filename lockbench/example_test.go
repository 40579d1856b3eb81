// SPDX-License-Identifier: BSD-3-Clause

package lockbench_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/lockbench"
)

// A lock of one's own against the standard library's, under one load: several calls
// in one function, std first. In a test file the function given to
// testing.Benchmark is func BenchmarkMine(b *testing.B), and
//
//	go test -run '^$' -bench Mine -count 10 | tee mine.txt
//
// writes a file that benchstat -col /lock and benchstat-report show compare.
func ExampleBench() {
	load := lockbench.Load{Goroutines: 4, Hold: 50 * time.Nanosecond, Think: time.Microsecond}
	r := testing.Benchmark(func(b *testing.B) {
		lockbench.Bench(b, "std", func() sync.Locker { return new(sync.Mutex) }, load)
		lockbench.Bench(b, "mine", func() sync.Locker { return make(slot, 1) }, load)
	})
	fmt.Println(r.N > 0 && r.T > 0)
	// Output: true
}

// slot is a lock made of a channel.
type slot chan struct{}

func (s slot) Lock()   { s <- struct{}{} }
func (s slot) Unlock() { <-s }

func ExampleRun() {
	load := lockbench.Load{Goroutines: 4, Hold: 500 * time.Nanosecond, Think: time.Microsecond}
	r, err := lockbench.Run(context.Background(), new(sync.Mutex), load, 20*time.Millisecond)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(load.Key(), len(r.PerGoroutine), r.Wait.Quantile(0.5) <= r.Wait.Max())
	// Output: goroutines=4/hold=500ns/think=1us 4 true
}
