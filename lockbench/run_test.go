// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/numa"
)

// countingLock counts calls and runs a hook inside one of them.
type countingLock struct {
	mu      sync.Mutex
	locks   int // guarded by mu
	unlocks int // guarded by mu
	at      int
	hook    func() // called in the at-th Lock
}

func (c *countingLock) Lock() {
	c.mu.Lock()
	if c.locks++; c.locks == c.at {
		c.hook()
	}
}

func (c *countingLock) Unlock() {
	c.unlocks++
	c.mu.Unlock()
}

func TestBadRuns(t *testing.T) {
	load := Load{Goroutines: 1}
	for _, c := range []struct {
		want string
		l    sync.Locker
		load Load
		d    time.Duration
	}{
		{"a run of 0s, want more than 0", new(sync.Mutex), load, 0},
		{"a run of -1s, want more than 0", new(sync.Mutex), load, -time.Second},
		{"no lock to run on (nil)", nil, load, time.Second},
		{"load has 0 goroutines, want 1 to 1048576", new(sync.Mutex), Load{}, time.Second},
	} {
		_, err := Run(context.Background(), c.l, c.load, c.d)
		if err == nil || err.Error() != "lockbench: "+c.want {
			t.Errorf("%v, want lockbench: %s", err, c.want)
		}
	}
}

func TestPlacementNobodyHas(t *testing.T) {
	_, err := Run(context.Background(), new(sync.Mutex), Load{Goroutines: 1, Place: numa.OnNode(12345)}, time.Second)
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q, want one line", err)
	}
}

func TestNilContextPanics(t *testing.T) {
	l := &countingLock{}
	defer func() {
		if recover() == nil || l.locks != 0 {
			t.Errorf("no panic, or only after %d locks", l.locks)
		}
	}()
	var none context.Context
	Run(none, l, Load{Goroutines: 1}, time.Second)
}

func TestCountedRunTakesExactlyN(t *testing.T) {
	for _, n := range []int{1, 7, 3000} {
		for _, goroutines := range []int{1, 3, 50} {
			l := &countingLock{}
			r, err := runN(context.Background(), l, Load{Goroutines: goroutines}, n)
			if err != nil {
				t.Fatal(err)
			}
			if r.Ops != uint64(n) || len(r.PerGoroutine) != goroutines || sum(r.PerGoroutine) != r.Ops {
				t.Errorf("n=%d goroutines=%d: %d acquisitions, %v", n, goroutines, r.Ops, r.PerGoroutine)
			}
			// Every goroutine may come once more to find that all is done.
			if l.locks < n || l.locks > n+goroutines || l.locks != l.unlocks {
				t.Errorf("n=%d goroutines=%d: %d locks, %d unlocks", n, goroutines, l.locks, l.unlocks)
			}
			if r.Elapsed <= 0 && n > 7 {
				t.Errorf("n=%d goroutines=%d took %v", n, goroutines, r.Elapsed)
			}
		}
	}
}

func TestTimedRunCounts(t *testing.T) {
	l := &countingLock{}
	r, err := Run(context.Background(), l, Load{Goroutines: 4, Hold: 100, Think: 100}, 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if r.Ops == 0 || sum(r.PerGoroutine) != r.Ops || r.Ops > uint64(l.locks) || l.locks != l.unlocks {
		t.Errorf("%d acquisitions, %v, of %d locks and %d unlocks", r.Ops, r.PerGoroutine, l.locks, l.unlocks)
	}
	if r.Elapsed < 20*time.Millisecond || r.UsableCPUs < 1 {
		t.Errorf("measured %v on %d CPUs", r.Elapsed, r.UsableCPUs)
	}
	if r.Sampled == 0 || r.Wait.Count() < r.Sampled || r.Wait.Max() <= 0 {
		t.Errorf("%d waits stand for %d, the longest %v", r.Sampled, r.Wait.Count(), r.Wait.Max())
	}
}

func TestEveryKnownLock(t *testing.T) {
	locks, err := Locks(LockNames()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range locks {
		r, err := runN(context.Background(), l.New(), Load{Goroutines: 3, Hold: 50}, 1000)
		if err != nil || r.Ops != 1000 {
			t.Errorf("%s: %d acquisitions, %v", l.Name, r.Ops, err)
		}
	}
}

func TestContextEndsARun(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	l := &countingLock{at: 100, hook: func() { cancel(cause) }}
	r, err := Run(ctx, l, Load{Goroutines: 3, Hold: 1000}, time.Hour)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q, want one line that matches Canceled and the cause", err)
	}
	if l.locks != l.unlocks || sum(r.PerGoroutine) != r.Ops {
		t.Errorf("%d locks, %d unlocks, %d acquisitions, %v", l.locks, l.unlocks, r.Ops, r.PerGoroutine)
	}
}

func TestEndedContextStartsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l := &countingLock{}
	if _, err := Run(ctx, l, Load{Goroutines: 2}, time.Hour); !errors.Is(err, context.Canceled) || l.locks != 0 {
		t.Errorf("error %v after %d locks, want Canceled after none", err, l.locks)
	}
}

func TestPanicOfTheLockIsAnError(t *testing.T) {
	l := &countingLock{at: 50, hook: func() { panic("broken") }} // and leaves the mutex locked
	_, err := Run(context.Background(), l, Load{Goroutines: 3}, time.Hour)
	if err == nil || err.Error() != "lockbench: the lock panicked: broken" {
		t.Errorf("error %v, want the panic", err)
	}
}

// gate lets in as many as it is told, then nobody.
type gate struct {
	left atomic.Int64
	open chan struct{}
}

func (g *gate) Lock() {
	if g.left.Add(-1) < 0 {
		<-g.open
	}
}
func (g *gate) Unlock() {}

func TestStuckLockIsAnError(t *testing.T) {
	g := &gate{open: make(chan struct{})}
	defer close(g.open)
	g.left.Store(10)
	r, err := newRun(context.Background(), g, Load{Goroutines: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.length, r.patience = time.Millisecond, 100*time.Millisecond
	_, err = r.measure(context.Background())
	if err == nil || !strings.HasPrefix(err.Error(), "lockbench: the lock let nobody in for 100ms, 1 of 1 goroutines wait") {
		t.Errorf("error %v, want that the lock let nobody in", err)
	}
}

func TestLostUpdateIsNoticed(t *testing.T) {
	w := newWorker(t)
	w.all, w.run.inside = 10, 10
	if err := w.run.checkExclusion(); err != nil {
		t.Errorf("counters agree: %v", err)
	}
	w.run.inside = 9
	if err := w.run.checkExclusion(); !errors.Is(err, ErrNotExclusive) {
		t.Errorf("counters differ: %v, want ErrNotExclusive", err)
	}
}

func sum(counts []uint64) (n uint64) {
	for _, c := range counts {
		n += c
	}
	return n
}
