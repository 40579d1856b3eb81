// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// TestBound has 64 goroutines on 2 Ps that never stop wanting the lock, until each has had
// it some times, and logs the longest wait. Times are the host's as much as the lock's,
// so what is asserted is the count that the bound implies: nobody is passed by without
// end. A turn has 1200 sections and 64 more at most; twice as many a waiter, for each
// of those ahead, is far more than they get.
func TestBound(t *testing.T) {
	const workers, times = 64, 3
	for _, hold := range []time.Duration{0, 2 * time.Microsecond, 50 * time.Microsecond} {
		t.Run(fmt.Sprintf("hold=%v", hold), func(t *testing.T) {
			modes(t, func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
				got, longest := boundRun(workers, times, hold)
				sum := 0
				for _, n := range got {
					sum += n
				}
				t.Logf("sections of %v: %d in all, %d to %d each, longest wait %v",
					hold, sum, slices.Min(got), slices.Max(got), longest)
				if slices.Min(got) < times {
					t.Errorf("one had the lock %d times, want %d", slices.Min(got), times)
				}
			})
		})
	}
}

// boundRun returns how often each worker had the lock, and the longest wait.
func boundRun(workers, times int, hold time.Duration) ([]int, time.Duration) {
	var m Mutex
	var behind atomic.Int64 // workers that have not had the lock often enough
	behind.Store(int64(workers))
	got, waits := make([]int, workers), make([]int64, workers)
	var wg sync.WaitGroup
	for g := range workers {
		wg.Go(func() {
			for behind.Load() > 0 {
				from := rt.Nanotime()
				m.Lock()
				t := rt.Nanotime()
				waits[g] = max(waits[g], t-from)
				for hold > 0 && rt.Nanotime()-t < int64(hold) {
				}
				if got[g]++; got[g] == times {
					behind.Add(-1)
				}
				m.Unlock()
			}
		})
	}
	wg.Wait()
	return got, time.Duration(slices.Max(waits))
}

// TestGrantOrder proves that waiters are handed the lock in the order in which they
// queued: a release whose turn is over hands it to the head, whoever else wants it.
func TestGrantOrder(t *testing.T) {
	modes(t, func(t *testing.T) {
		const workers = 8
		var m Mutex
		m.Lock()
		var order []int // guarded by m
		var wg sync.WaitGroup
		for g := range workers {
			wg.Go(func() {
				m.Lock()
				order = append(order, g)
				m.w.Ctl.Or(uint32(ctlHandoff)) // the turn is over
				if m.Waiters() == 0 {
					m.w.Ctl.And(^uint32(ctlHandoff))
				}
				m.Unlock()
			})
			for m.Waiters() != g+1 {
				runtime.Gosched()
			}
		}
		m.w.Ctl.Or(uint32(ctlHandoff))
		m.Unlock()
		wg.Wait()
		if !slices.IsSorted(order) || len(order) != workers {
			t.Errorf("handed over in the order %v", order)
		}
		if !m.Idle() {
			t.Errorf("left behind: ctl %#x", m.load())
		}
	})
}

// TestLeavesFencedMode shows that FENCED goes up with the first sleeper and down again
// after enough quiet releases, not earlier.
func TestLeavesFencedMode(t *testing.T) {
	modes(t, func(t *testing.T) {
		var m Mutex
		m.Lock()
		done := make(chan struct{})
		go func() {
			m.Lock()
			m.Unlock() //lint:ignore SA2001 the pair is what matters
			close(done)
		}()
		for m.Waiters() != 1 {
			runtime.Gosched()
		}
		m.Unlock()
		<-done
		n := uint32(0)
		for ; m.Fenced() && n < 2<<16; n++ {
			m.Lock()
			m.Unlock() //lint:ignore SA2001 the pair is what matters
		}
		t.Logf("fenced for %d more pairs, limit %d", n, limit())
		if m.Fenced() {
			t.Errorf("still fenced after %d quiet releases, limit %d", n, limit())
		}
		if n < quietBlock/2 {
			t.Errorf("left the fenced mode after %d releases, limit %d", n, limit())
		}
	})
}
