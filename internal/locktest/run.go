// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// T is what a check needs of a testing.T. This package's own tests pass one that
// records, to see broken locks fail.
type T interface {
	Helper()
	Name() string
	Errorf(format string, args ...any)
	Skipf(format string, args ...any)
}

// check is one test of a lock.
type check struct {
	name    string
	applies func(Lock) bool
	run     func(*run)
	direct  bool // on the test's own goroutine, without watchdog: it re-executes the program
}

func always(Lock) bool { return true }

// checks in the order in which they run: the simple ones first, for a lock that fails
// those fails the others too.
var checks = []check{
	{name: "methods", applies: always, run: (*run).methods},
	{name: "alone", applies: always, run: (*run).alone},
	{name: "exclusion", applies: always, run: (*run).exclusion},
	{name: "procs=1", applies: always, run: (*run).oneProc},
	{name: "procs=2", applies: always, run: (*run).twoProcs},
	{name: "procs=changing", applies: always, run: (*run).changingProcs},
	{name: "crowd", applies: always, run: (*run).crowd},
	{name: "gc", applies: always, run: (*run).collected},
	{name: "panic", applies: always, run: (*run).panics},
	{name: "goexit", applies: always, run: (*run).goexits},
	{name: "handover", applies: func(l Lock) bool { return !l.Owned }, run: (*run).handover},
	{name: "no-lost-wakeup", applies: always, run: (*run).wakeups},
	{name: "order", applies: func(l Lock) bool { return l.FIFO && l.Waiters != nil }, run: (*run).order},
	{name: "bypass", applies: func(l Lock) bool { return l.Bypass > 0 && l.Waiters != nil }, run: (*run).bypass},
	{name: "try", applies: func(l Lock) bool { return l.TryLock }, run: (*run).try},
	{name: "try-hammer", applies: func(l Lock) bool { return l.TryLock }, run: (*run).tryHammer},
	{name: "context", applies: func(l Lock) bool { return l.Context }, run: (*run).context},
	{name: "context-queue", applies: func(l Lock) bool { return l.Context && l.Waiters != nil }, run: (*run).contextQueue},
	{name: "context-storm", applies: func(l Lock) bool { return l.Context }, run: (*run).contextStorm},
	{name: "readers", applies: func(l Lock) bool { return l.Readers }, run: (*run).readers},
	{name: "readers-hammer", applies: func(l Lock) bool { return l.Readers }, run: (*run).readersHammer},
	{name: "readers-try", applies: func(l Lock) bool { return l.Readers && l.TryLock }, run: (*run).readersTry},
	{name: "writer-waits", applies: func(l Lock) bool { return l.Writers && l.TryLock }, run: (*run).writerWaits},
	{name: "misuse", applies: func(l Lock) bool { return len(l.Misuse) > 0 }, run: (*run).misuse, direct: true},
}

// Test runs every check that applies to l. It changes GOMAXPROCS: no test of the same
// program may run in parallel with it.
func Test(t *testing.T, l Lock) {
	t.Helper()
	for _, c := range checks {
		if c.applies(l) {
			t.Run(c.name, func(t *testing.T) { c.on(t, l, watchdog, true) })
		}
	}
}

// watchdog is how long a check may take. The slowest takes a second on two CPUs, and
// perhaps a hundred under emulation and the race detector.
const watchdog = 5 * time.Minute

// on runs the check on l and reports to t. With plain, sections touch plain variables.
func (c check) on(t T, l Lock, limit time.Duration, plain bool) {
	t.Helper()
	r := &run{T: t, Lock: l, plain: plain}
	if c.direct {
		c.run(r)
		return
	}
	r.watch(func() { c.run(r) }, limit)
}

// run is one check of one lock under way.
type run struct {
	T
	Lock
	plain bool // sections touch plain variables

	mu   sync.Mutex
	dead bool // guarded by mu; the watchdog has fired, and t may be gone
}

// watch calls f and reports when it has not returned within limit.
func (r *run) watch(f func(), limit time.Duration) {
	r.T.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	alarm := time.NewTimer(limit)
	defer alarm.Stop()
	select {
	case <-done:
	case <-alarm.C:
		stacks := make([]byte, 1<<16)
		stacks = stacks[:runtime.Stack(stacks, true)]
		r.Errorf("stuck after %v; goroutines:\n%s", limit, stacks)
		r.mu.Lock()
		r.dead = true
		r.mu.Unlock()
	}
}

// Errorf reports an error, unless the watchdog has ended the check.
func (r *run) Errorf(format string, args ...any) {
	r.T.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.dead {
		r.T.Errorf(format, args...)
	}
}

// Name is the test's, not the lock's.
func (r *run) Name() string { return r.T.Name() }

// until waits for cond. It ends the goroutine once the watchdog has fired.
func (r *run) until(cond func() bool) {
	for !cond() {
		r.mu.Lock()
		dead := r.dead
		r.mu.Unlock()
		if dead {
			runtime.Goexit()
		}
		runtime.Gosched()
	}
}

// waiters waits until exactly n goroutines wait for l.
func (r *run) waiters(l sync.Locker, n int) {
	r.until(func() bool { return r.Waiters(l) == n })
}

// many is the number of goroutines of a hammering check.
func (r *run) many(sleeping, spinning int) int {
	if r.Spins {
		return spinning
	}
	return sleeping
}

// stress returns n times the multiplier of the environment.
func stress(n int) int { return n * multiplier() }

var multiplier = sync.OnceValue(func() int {
	s := os.Getenv("TURNSTILE_STRESS")
	if s == "" {
		return 1
	}
	m, err := strconv.Atoi(s)
	if err != nil || m < 1 {
		panic(fmt.Sprintf("TURNSTILE_STRESS=%q is no positive number", s))
	}
	return m
})

func loadInt32(p *int32) int32 { return atomic.LoadInt32(p) }
