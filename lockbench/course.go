// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/turnstile-go/turnstile/internal/pad"
)

// The stages of a run, in order.
const (
	warming   uint32 = iota // nothing is counted
	measuring               // a counted run starts here
	stopping                // workers leave after the section they are in
)

// course is what the workers of a run share while it goes on.
type course struct {
	_ pad.Line
	// Every worker reads these two with every acquisition. coarse is when anybody
	// last read the clock.
	stage  atomic.Uint32
	coarse atomic.Int64
	_      pad.Line
	// A critical section reads this at its start and writes it back, one higher,
	// at its end: sections that overlap lose one, see checkExclusion.
	inside     uint64 // guarded by the lock under test
	_          pad.Line
	opened     atomic.Int64 // when the first worker started
	begin, end atomic.Int64 // of the measured time, 0 until known
	left       atomic.Int64 // workers that have returned
	broke      atomic.Pointer[error]
}

// open notes the start of the first worker.
func (r *run) open() {
	t := now()
	if r.opened.CompareAndSwap(0, t) && r.limit != 0 {
		r.begin.Store(t)
	}
}

// advance moves on from a stage, unless somebody did so before, and notes when.
func (c *course) advance(from uint32, t int64) {
	if !c.stage.CompareAndSwap(from, from+1) {
		return
	}
	if from == warming {
		c.begin.Store(t)
	} else {
		c.end.Store(t)
	}
}

// tick is called by workers with the times they read from the clock.
func (r *run) tick(t int64) {
	// A worker may have been off its CPU since it read t. A coarse time that went
	// back would make long waits out of short ones, so it must not.
	if old := r.coarse.Load(); t > old {
		r.coarse.CompareAndSwap(old, t)
	}
	r.turn(t)
}

// turn moves to the next stage of a timed run when it is time. The workers do
// this themselves: with every CPU busy a timer can be milliseconds late.
func (r *run) turn(t int64) {
	if r.limit != 0 {
		return
	}
	// Times are 0 for a moment after the stage has changed.
	switch r.stage.Load() {
	case warming:
		if o := r.opened.Load(); o != 0 && t-o >= int64(r.warmup) {
			r.advance(warming, t)
		}
	case measuring:
		if b := r.begin.Load(); b != 0 && t-b >= int64(r.length) {
			r.advance(measuring, t)
		}
	}
}

// stop ends the run in whatever stage it is.
func (r *run) stop() {
	t := now()
	r.advance(warming, t)
	r.advance(measuring, t)
}

// lookEvery is how often at least conduct looks at a run.
const lookEvery = 50 * time.Millisecond

// conduct waits for the workers and returns their error. It ends the run when
// ctx ends, and turns the stages when sections are so long that no worker looks
// at the clock for a while.
func (r *run) conduct(ctx context.Context, done <-chan error) error {
	every := lookEvery
	if r.length != 0 {
		every = min(every, max(time.Millisecond, r.length/4))
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	cancel := ctx.Done()
	var seen [2]int64 // what changes while the lock lets workers in
	moved, patience := now(), r.patience
	for {
		select {
		case err := <-done:
			return joinLines(err)
		case <-cancel:
			r.stop()
			cancel = nil // or this case would be ready for ever
			moved, patience = now(), min(patience, time.Second)
		case <-ticker.C:
			r.turn(now())
		}
		if r.broke.Load() != nil {
			patience = min(patience, time.Second)
		}
		if at := [2]int64{r.coarse.Load(), r.left.Load()}; at != seen {
			seen, moved = at, now()
		} else if now()-moved > int64(patience) {
			return r.stuck(ctx, patience)
		}
	}
}

// stuck is the error of a run whose workers do not come back.
func (r *run) stuck(ctx context.Context, patience time.Duration) error {
	if broke := r.broke.Load(); broke != nil {
		return *broke
	}
	if err := ended(ctx); err != nil {
		return err
	}
	return fmt.Errorf("lockbench: the lock let nobody in for %v, %d of %d goroutines wait for it",
		patience, len(r.workers)-int(r.left.Load()), len(r.workers))
}
