// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"sync"
	"testing"
)

// newWorker returns a worker of a run that never starts.
func newWorker(t *testing.T) *worker {
	t.Helper()
	r, err := newRun(context.Background(), new(sync.Mutex), Load{Goroutines: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &r.workers[0]
}

// waits returns how often and how long the worker has waited by its records.
func (w *worker) waits() (count uint64, longest int64) {
	var h Histogram
	h.addBank(w.bank)
	return h.Count(), w.longest
}

func TestWaitsByStage(t *testing.T) {
	for _, c := range []struct {
		name            string
		stage           uint32
		from, to, end   int64
		count           uint64
		longest, sample int64
	}{
		{"in the warm-up", warming, 100, 300, 0, 0, 0, 0},
		{"in time", measuring, 100, 300, 0, 5, 200, 1},
		{"still open at the end", stopping, 100, 900, 500, 5, 400, 1},
		{"over just before the end was seen", stopping, 100, 300, 500, 5, 200, 1},
		{"began after the end", stopping, 600, 900, 500, 0, 0, 0},
		{"end not written yet", stopping, 100, 300, 0, 5, 200, 1},
	} {
		w := newWorker(t)
		w.run.end.Store(c.end)
		w.record(c.stage, c.from, c.to, 5)
		count, longest := w.waits()
		if count != c.count || longest != c.longest || w.sampled != uint64(c.sample) {
			t.Errorf("%s: count %d, longest %d, sampled %d, want %d, %d, %d",
				c.name, count, longest, w.sampled, c.count, c.longest, c.sample)
		}
	}
}

func TestLongWaitsCountOnce(t *testing.T) {
	w := newWorker(t)
	w.sampler.block = 100
	w.waited(measuring, 0, longWait-1, true)
	if count, _ := w.waits(); count != 100 {
		t.Errorf("a sampled wait counts %d, want its block, 100", count)
	}
	w.sampler.block = 100
	w.waited(measuring, 0, longWait, true)
	w.waited(measuring, 0, longWait, false)
	if count, _ := w.waits(); count != 102 {
		t.Errorf("two long waits more count %d in all, want 102", count)
	}
}

// slowLock makes a wait look long in the coarse time.
type slowLock struct {
	run   *run
	locks int
}

func (s *slowLock) Lock() {
	if s.locks++; s.locks == 3 {
		s.run.coarse.Add(longWait)
	}
}
func (s *slowLock) Unlock() {}

func TestLongWaitsAreSeenWithoutATimer(t *testing.T) {
	w := newWorker(t)
	w.run.lock = &slowLock{run: w.run}
	w.run.stage.Store(measuring)
	w.run.limit = 1000
	w.run.coarse.Store(now() - longWait)
	if !w.rounds(10, false) {
		t.Fatal("rounds ended early")
	}
	if w.ops != 10 || w.all != 10 || w.run.inside != 10 {
		t.Errorf("counted %d, %d and %d in the section, want 10 each", w.ops, w.all, w.run.inside)
	}
	if count, longest := w.waits(); count != 1 || longest < longWait {
		t.Errorf("%d waits up to %d ns, want 1 of at least %d", count, longest, longWait)
	}
}

func TestCoarseTimeNeverGoesBack(t *testing.T) {
	w := newWorker(t)
	w.run.tick(500)
	w.run.tick(400)
	if got := w.run.coarse.Load(); got != 500 {
		t.Errorf("coarse time %d after 500 and 400, want 500", got)
	}
}
