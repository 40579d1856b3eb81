// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// methods checks that the lock has what its row says, and nothing that it does not.
func (r *run) methods() {
	l := r.New()
	_, try := l.(TryLocker)
	_, ctx := l.(ContextLocker)
	_, rw := l.(RWLocker)
	for _, m := range []struct {
		name      string
		has, says bool
	}{
		{"TryLock", try, r.TryLock},
		{"LockContext", ctx, r.Context},
		{"RLock", rw, r.Readers},
	} {
		if m.has != m.says {
			r.Errorf("%s: the lock has it: %v, its row says: %v", m.name, m.has, m.says)
		}
	}
	if _, ok := l.(TryRWLocker); ok != (r.Readers && r.TryLock) {
		r.Errorf("TryRLock: the lock has it: %v, its row says: %v", ok, r.Readers && r.TryLock)
	}
}

// alone locks without contention: nothing may block.
func (r *run) alone() {
	l, s := r.New(), r.section()
	for range 1000 {
		l.Lock()
		s.write()
		l.Unlock()
	}
	s.counted(1000)
}

func (r *run) exclusion() { r.hammer(r.New(), r.many(8, 4), stress(2000)) }

func (r *run) oneProc() {
	defer procs(1)()
	r.hammer(r.New(), r.many(8, 4), stress(500))
}

func (r *run) twoProcs() {
	defer procs(2)()
	r.hammer(r.New(), r.many(8, 2), stress(2000))
}

// changingProcs takes Ps away from waiters and gives them back.
func (r *run) changingProcs() {
	defer procs(runtime.GOMAXPROCS(0))()
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.hammer(r.New(), r.many(8, 4), stress(2000))
	}()
	for n := 1; ; n = n%4 + 1 {
		select {
		case <-done:
			return
		default:
			runtime.GOMAXPROCS(n)
			runtime.Gosched()
		}
	}
}

// crowd is many more goroutines than CPUs.
func (r *run) crowd() {
	r.hammer(r.New(), r.many(64*runtime.GOMAXPROCS(0), 2*runtime.GOMAXPROCS(0)), stress(30))
}

// collected stops the world again and again under contention. It ends only if every
// loop of the lock can be preempted. The holder sits in a section of Go code, and its
// waiters in the lock.
func (r *run) collected() {
	l, s := r.New(), r.section()
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range r.many(8, 2) + 1 {
		wg.Go(func() {
			for !stop.Load() {
				l.Lock()
				s.linger()
				l.Unlock()
			}
		})
	}
	for range stress(10) {
		runtime.GC()
	}
	l.Lock()
	runtime.GC() // now everybody waits
	l.Unlock()
	stop.Store(true)
	wg.Wait()
}

// panics leaves sections by a panic, under a deferred Unlock.
func (r *run) panics() {
	r.leave(func() { panic("a section that fails") })
}

// goexits leaves sections by runtime.Goexit, under a deferred Unlock.
func (r *run) goexits() { r.leave(runtime.Goexit) }

func (r *run) leave(how func()) {
	const goroutines = 4
	rounds := stress(100)
	l, s := r.New(), r.section()
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range rounds {
				ended := make(chan struct{})
				go func() { // Goexit ends the goroutine, so each section has its own
					defer close(ended)
					defer func() { recover() }()
					l.Lock()
					defer l.Unlock()
					s.write()
					how()
				}()
				<-ended
			}
		})
	}
	wg.Wait()
	l.Lock()
	s.counted(goroutines * rounds)
	l.Unlock()
}

// handover unlocks in another goroutine than the one that locked.
func (r *run) handover() {
	l, s := r.New(), r.section()
	rounds := stress(200)
	held := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range rounds {
				l.Lock()
				s.write()
				held <- struct{}{}
			}
		})
	}
	for range 3 * rounds {
		<-held
		s.write()
		l.Unlock()
	}
	wg.Wait()
	s.counted(6 * rounds)
}

// wakeups passes a lock to and fro so that everybody sleeps all the time: a wake-up
// that is lost ends the run in the watchdog.
func (r *run) wakeups() {
	l := r.New()
	for range stress(50) {
		l.Lock()
		var arrived atomic.Int32
		var wg sync.WaitGroup
		n := r.many(8, 2)
		for range n {
			wg.Go(func() {
				arrived.Add(1)
				l.Lock()
				runtime.Gosched()
				l.Unlock()
			})
		}
		if r.Waiters != nil {
			r.waiters(l, n)
		} else {
			r.until(func() bool { return int(arrived.Load()) == n })
		}
		l.Unlock()
		wg.Wait()
	}
}
