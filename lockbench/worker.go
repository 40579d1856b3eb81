// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"fmt"

	"github.com/turnstile-go/turnstile/internal/pad"
)

// longWait is the wait from which on every one is counted, not a sample.
const longWait = 1_000_000 // ns

// worker is one goroutine of a run. Only it touches its fields until it returns.
type worker struct {
	_           pad.Line
	run         *run
	bank        *bank
	hold, think int  // rounds of compute
	x           uint // what compute computes
	sampler     sampler

	ops     uint64 // acquisitions in the measured time
	all     uint64 // every acquisition
	sampled uint64 // waits timed
	longest int64  // of the waits recorded
}

// prepare makes a worker ready to start.
func (w *worker) prepare(r *run, index int, p pace) {
	w.run = r
	w.bank = &r.banks[index%len(r.banks)]
	w.hold, w.think = p.rounds(r.load.Hold), p.rounds(r.load.Think)
	w.x = uint(index)
	w.sampler.prepare(uint64(index), r.load.Goroutines, r.usable)
}

// work runs the worker until the run stops. A panic of the lock ends the run.
func (w *worker) work() error {
	defer w.leave()
	w.run.open()
	w.sampler.began = now()
	for w.rounds(w.sampler.skip, false) && w.rounds(1, true) {
	}
	return nil
}

// leave is how a worker ends, by returning or by a panic.
func (w *worker) leave() {
	if v := recover(); v != nil {
		err := joinLines(fmt.Errorf("lockbench: the lock panicked: %v", v))
		w.run.broke.CompareAndSwap(nil, &err)
		w.run.stop()
	}
	w.run.left.Add(1)
}

// rounds takes the lock n times and reports whether the run goes on. With timed
// it reads the clock around Lock. Otherwise only a long wait is noticed, in the
// coarse time, which is as fresh as the samples of all workers are frequent:
// tens of microseconds. It is one function, and long, because every call in
// here would add to what the harness costs.
func (w *worker) rounds(n uint64, timed bool) bool {
	r, x := w.run, w.x
	for ; n > 0; n-- {
		from, to := r.coarse.Load(), int64(0)
		if timed {
			from = now()
		}
		r.lock.Lock()
		if timed || r.coarse.Load()-from >= longWait {
			to = now()
		}
		// The critical section. Its stage is the one it begins in.
		stage, inside := r.stage.Load(), r.inside
		if w.hold > 0 {
			x = compute(x, w.hold)
		}
		r.inside = inside + 1
		w.all++
		if stage == measuring {
			w.ops++
			if inside+1 == r.limit {
				r.advance(measuring, now())
			}
		}
		r.lock.Unlock()
		if to != 0 {
			w.waited(stage, from, to, timed)
		}
		if stage == stopping {
			return false
		}
		if w.think > 0 {
			x = compute(x, w.think)
		}
	}
	w.x = x
	return true
}

// waited is called with the times read around Lock and the stage it ended in.
func (w *worker) waited(stage uint32, from, to int64, timed bool) {
	w.run.tick(to)
	weight := uint64(1) // of long waits, of which each is seen
	if timed {
		next := w.sampler.next(w.all, to)
		if to-from < longWait {
			weight = next
		}
	}
	w.record(stage, from, to, weight)
}

// record counts a wait that ended in the given stage. A wait still open when the
// measured time ended counts as long as it was then.
func (w *worker) record(stage uint32, from, to int64, weight uint64) {
	switch stage {
	case warming:
		return
	case stopping:
		if end := w.run.end.Load(); end != 0 { // 0 for a moment after the stage has changed
			to = min(to, end)
		}
		if to <= from {
			return
		}
	}
	wait := to - from
	w.bank[bucketOf(wait)].Add(weight)
	w.sampled++
	w.longest = max(w.longest, wait)
}
