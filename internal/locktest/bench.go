// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// Bench runs the same cells for each row: b.N acquisitions in all, spread over the
// goroutines. Names are data, and the cells of all locks stand side by side so that
// what drifts in the machine meets them all:
//
//	BenchmarkX/lock=std/goroutines=16/hold=500ns
//
// Rows with readers run a second time with rw=read. A spin lock has no cells with many
// more goroutines than CPUs. The lock is called through its interface, so that no fast
// path is inlined. What waits look like is package lockbench's to measure.
func Bench(b *testing.B, rows ...Lock) {
	for _, g := range []int{1, 2, 16, 64} {
		for _, hold := range []time.Duration{0, 500 * time.Nanosecond} {
			for _, row := range rows {
				if row.Spins && g > 2*runtime.GOMAXPROCS(0) {
					continue
				}
				name := fmt.Sprintf("lock=%s/goroutines=%d/hold=%v", row.Name, g, hold)
				b.Run(name, func(b *testing.B) {
					l := row.New()
					spread(b, g, hold, l.Lock, l.Unlock)
				})
				if row.Readers {
					b.Run("rw=read/"+name, func(b *testing.B) {
						l := row.New().(RWLocker)
						spread(b, g, hold, l.RLock, l.RUnlock)
					})
				}
			}
		}
	}
}

func spread(b *testing.B, goroutines int, hold time.Duration, lock, unlock func()) {
	var wg sync.WaitGroup
	for g := range goroutines {
		n := (b.N + g) / goroutines // sums up to b.N
		wg.Go(func() {
			for range n {
				lock()
				busy(hold)
				unlock()
			}
		})
	}
	wg.Wait()
}

// busy works for d by the clock; 0 is nothing at all.
func busy(d time.Duration) {
	if d == 0 {
		return
	}
	for end := rt.Nanotime() + int64(d); rt.Nanotime() < end; {
	}
}
