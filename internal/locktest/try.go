// SPDX-License-Identifier: BSD-3-Clause

package locktest

import "sync"

// try checks TryLock against a lock whose state is known.
func (r *run) try() {
	l := r.New().(TryLocker)
	for range 3 {
		if !l.TryLock() {
			r.Errorf("TryLock failed on a free lock")
			return
		}
		if l.TryLock() {
			r.Errorf("TryLock took a held lock")
		}
		done := make(chan bool)
		go func() { done <- l.TryLock() }()
		if <-done {
			r.Errorf("TryLock took a lock held by another goroutine")
		}
		l.Unlock()
		pass(l) // a failed TryLock leaves nothing behind
	}
	r.tryAfterWaiters(l)
}

// pass takes the lock and gives it up.
func pass(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
}

// tryAfterWaiters checks that a lock that had waiters ends free.
func (r *run) tryAfterWaiters(l TryLocker) {
	var wg sync.WaitGroup
	l.Lock()
	for range r.many(4, 2) {
		wg.Go(func() { pass(l) })
	}
	if r.Waiters != nil {
		r.waiters(l, r.many(4, 2))
		if l.TryLock() {
			r.Errorf("TryLock took a held lock with waiters")
		}
	}
	l.Unlock()
	wg.Wait()
	if !l.TryLock() {
		r.Errorf("TryLock failed on a lock that everybody had left")
		return
	}
	l.Unlock()
}

// tryHammer mixes TryLock with Lock.
func (r *run) tryHammer() {
	l, s := r.New().(TryLocker), r.section()
	goroutines, rounds := r.many(8, 4), stress(2000)
	taken := make([]int, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := range rounds {
				if (i+g)%3 == 0 {
					l.Lock()
				} else if !l.TryLock() {
					continue
				}
				taken[g]++
				s.writeOrLinger(i)
				l.Unlock()
			}
		})
	}
	wg.Wait()
	want := 0
	for _, n := range taken {
		want += n
	}
	s.counted(want)
}
