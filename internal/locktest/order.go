// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"slices"
	"sync"
	"sync/atomic"
)

// order queues waiters one by one and checks that they are served so.
func (r *run) order() {
	n := r.many(16, 4)
	for range stress(5) {
		l := r.New()
		var got []int // guarded by l
		var wg sync.WaitGroup
		l.Lock()
		for i := range n {
			wg.Go(func() {
				l.Lock()
				got = append(got, i)
				l.Unlock()
			})
			r.waiters(l, i+1)
		}
		l.Unlock()
		wg.Wait()
		if !slices.IsSorted(got) || len(got) != n {
			r.Errorf("waiters 0 to %d were served in the order %v", n-1, got)
			return
		}
	}
}

// bypass counts who goes ahead of a waiter that came first. The others come while the
// lock is held still, and come back each time they were served.
func (r *run) bypass() {
	for range stress(50) {
		l := r.New()
		var served, stop atomic.Bool
		ahead := 0 // guarded by l
		l.Lock()
		var wg sync.WaitGroup
		wg.Go(func() {
			l.Lock()
			served.Store(true)
			l.Unlock()
		})
		r.waiters(l, 1)
		others := r.many(4, 2)
		for range others {
			wg.Go(func() {
				for !stop.Load() {
					l.Lock()
					if !served.Load() {
						ahead++
						if ahead > r.Bypass {
							stop.Store(true) // the others would go on for ever
						}
					}
					l.Unlock()
				}
			})
		}
		r.waiters(l, 1+others)
		l.Unlock()
		r.until(served.Load)
		stop.Store(true)
		wg.Wait()
		if ahead > r.Bypass {
			r.Errorf("%d went ahead of the first in the queue, want at most %d", ahead, r.Bypass)
			return
		}
	}
}
