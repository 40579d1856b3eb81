// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/turnstile-go/turnstile/numa"
)

// ErrNotExclusive is what Run's error matches when two critical sections
// overlapped.
var ErrNotExclusive = errors.New("the lock let two critical sections overlap")

// errNobody is what Run's error matches when the measured time passed without an
// acquisition.
var errNobody = errors.New("want a longer run")

// Run puts the load on the lock for d, after a warm-up of d/8 and at most 10 ms
// that is not counted, and returns what it measured. It returns once all
// goroutines have left the lock.
//
// When ctx ends, Run ends at once and returns what it has together with an error
// that matches the context's. A lock that does not exclude is found out and
// makes the error match ErrNotExclusive; so does a panic of the lock, and a lock
// that stops letting anybody in for 10 seconds make an error, though the
// goroutines stuck in such a lock stay behind.
func Run(ctx context.Context, l sync.Locker, load Load, d time.Duration) (Result, error) {
	if d <= 0 {
		return Result{}, fmt.Errorf("lockbench: a run of %v, want more than 0", d)
	}
	r, err := newRun(ctx, l, load)
	if err != nil {
		return Result{}, err
	}
	r.length, r.warmup = d, min(d/8, 10*time.Millisecond)
	runtime.GC() // now, rather than in the middle
	return r.measure(ctx)
}

// runN puts the load on the lock until it was taken n times in all.
func runN(ctx context.Context, l sync.Locker, load Load, n int) (Result, error) {
	r, err := newRun(ctx, l, load)
	if err != nil {
		return Result{}, err
	}
	r.limit = uint64(n)
	r.stage.Store(measuring)
	return r.measure(ctx)
}

// run is one measurement of one lock.
type run struct {
	course
	lock    sync.Locker
	load    Load
	usable  int
	workers []worker
	banks   []bank

	length, warmup time.Duration // of a timed run
	limit          uint64        // acquisitions of a counted run, 0 for a timed one
	patience       time.Duration // with a lock that lets nobody in
}

// maxBanks bounds the memory for waits and the time to add them up.
const maxBanks = 64

// newRun checks a load and makes ready what its workers need.
func newRun(ctx context.Context, l sync.Locker, load Load) (*run, error) {
	if ctx == nil {
		panic("lockbench: nil context")
	}
	if l == nil {
		return nil, errors.New("lockbench: no lock to run on (nil)")
	}
	if err := load.check(); err != nil {
		return nil, err
	}
	r := &run{
		lock:     l,
		load:     load,
		usable:   UsableCPUs(),
		workers:  make([]worker, load.Goroutines),
		banks:    make([]bank, min(load.Goroutines, maxBanks)),
		patience: 10*time.Second + 2*(load.Hold+load.Think),
	}
	pace := measuredPace()
	for i := range r.workers {
		r.workers[i].prepare(r, i, pace)
	}
	return r, nil
}

// measure runs the workers and gathers what they counted.
func (r *run) measure(ctx context.Context) (Result, error) {
	if err := ended(ctx); err != nil {
		return Result{}, err
	}
	done := make(chan error, 1) // buffered: nobody may be left to receive
	go func() {
		// Not given ctx: a worker stops by itself, once it is out of the lock.
		done <- numa.Workers(context.WithoutCancel(ctx), nil, r.load.Place, len(r.workers),
			func(_ context.Context, w numa.Worker) error { return r.workers[w.Index].work() })
	}()
	if err := r.conduct(ctx, done); err != nil {
		return Result{}, err
	}
	if broke := r.broke.Load(); broke != nil {
		return Result{}, *broke
	}
	if err := r.checkExclusion(); err != nil {
		return Result{}, err
	}
	res := r.result()
	if err := ended(ctx); err != nil {
		return res, err
	}
	if res.Ops == 0 {
		return res, fmt.Errorf("lockbench: nobody got the lock within %v under %s, %w", r.length, r.load.Key(), errNobody)
	}
	return res, nil
}

// checkExclusion compares the counter that the critical sections advanced with
// the sum of what the workers counted for themselves.
func (r *run) checkExclusion() error {
	var all uint64
	for i := range r.workers {
		all += r.workers[i].all
	}
	if r.inside == all {
		return nil
	}
	return fmt.Errorf("lockbench: %d critical sections left a counter at %d: %w", all, r.inside, ErrNotExclusive)
}

// result adds up the workers. They have all returned.
func (r *run) result() Result {
	res := Result{
		Elapsed:      time.Duration(r.end.Load() - r.begin.Load()),
		PerGoroutine: make([]uint64, len(r.workers)),
		UsableCPUs:   r.usable,
	}
	for i := range r.banks {
		res.Wait.addBank(&r.banks[i])
	}
	for i := range r.workers {
		w := &r.workers[i]
		res.PerGoroutine[i] = w.ops
		res.Ops += w.ops
		res.Sampled += w.sampled
		res.Wait.max = max(res.Wait.max, w.longest)
	}
	return res
}

// ended returns an error that matches the context's, nil while it goes on.
func ended(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		return fmt.Errorf("lockbench: stopped: %w: %w", err, cause)
	}
	return fmt.Errorf("lockbench: stopped: %w", err)
}
