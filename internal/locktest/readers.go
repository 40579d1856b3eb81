// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"sync"
	"sync/atomic"
)

// readers checks that readers share and that they and writers exclude each other.
func (r *run) readers() {
	l := r.New().(RWLocker)
	l.RLock()
	second := make(chan struct{})
	go func() {
		l.RLock()
		close(second)
		l.RUnlock()
	}()
	<-second // while the first is inside

	var wrote atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		l.Lock()
		wrote.Store(true)
		l.Unlock()
	})
	if wrote.Load() {
		r.Errorf("a writer got in beside a reader")
	}
	l.RUnlock()
	wg.Wait()
}

// readersHammer mixes readers and writers.
func (r *run) readersHammer() {
	l, s := r.New().(RWLocker), r.section()
	goroutines, rounds := r.many(8, 4), stress(1000)
	var writes atomic.Int64
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			last := 0
			for i := range rounds {
				if (i+g)%8 == 0 {
					l.Lock()
					s.writeOrLinger(i / 2)
					l.Unlock()
					writes.Add(1)
					continue
				}
				l.RLock()
				n := s.read()
				l.RUnlock()
				if n < last {
					r.Errorf("a reader saw the count go back from %d to %d", last, n)
				}
				last = n
			}
		})
	}
	wg.Wait()
	s.counted(int(writes.Load()))
}

// readersTry checks TryRLock and TryLock against each other.
func (r *run) readersTry() {
	l := r.New().(interface {
		TryRWLocker
		TryLock() bool
	})
	for range 2 {
		if !l.TryRLock() {
			r.Errorf("TryRLock failed without a writer")
			return
		}
	}
	if l.TryLock() {
		r.Errorf("TryLock took a lock that readers hold")
	}
	l.RUnlock()
	l.RUnlock()
	if !l.TryLock() {
		r.Errorf("TryLock failed after the last reader left")
		return
	}
	if l.TryRLock() {
		r.Errorf("TryRLock got in beside a writer")
	}
	l.Unlock()
}

// writerWaits checks that new readers are stopped by a waiting writer, which therefore
// gets in once the readers inside have left.
func (r *run) writerWaits() {
	l := r.New().(TryRWLocker)
	l.RLock()
	var wrote atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		l.Lock()
		wrote.Store(true)
		l.Unlock()
	})
	r.until(func() bool {
		if l.TryRLock() {
			l.RUnlock()
			return false
		}
		return true
	})
	if wrote.Load() {
		r.Errorf("a writer got in beside a reader")
	}
	wg.Go(func() {
		l.RLock()
		if !wrote.Load() {
			r.Errorf("a reader that came after a waiting writer went first")
		}
		l.RUnlock()
	})
	l.RUnlock()
	wg.Wait()
}
