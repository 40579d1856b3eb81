// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Progress says how far a suite has come.
type Progress struct {
	Done, Total  int           // samples of single cells
	Elapsed, ETA time.Duration // ETA is the time still to go
	Cell         string        // the cell just measured, "lock=std/goroutines=4/..."
}

// RunSuite measures every load of the suite with every lock, s.Samples times.
// Within a sample the locks follow one another directly under each load, in an
// order that rotates, so that a change of the machine's speed meets all of them
// alike. First every lock runs once unmeasured, to warm up.
//
// each is called with every result and may end the suite by returning an error,
// which RunSuite returns; progress is called after it. Either may be nil.
// When ctx ends, RunSuite stops within the cell, whose result is dropped, and
// returns an error that matches the context's: each has had all the others.
func RunSuite(ctx context.Context, s Suite, locks []Lock, each func(lock Lock, load Load, sample int, r Result) error, progress func(Progress)) error {
	if ctx == nil {
		panic("lockbench: nil context")
	}
	if err := s.check(locks); err != nil {
		return err
	}
	if err := s.warmUp(ctx, locks); err != nil {
		return err
	}
	t := tracker{start: time.Now(), total: s.Samples * len(s.Loads) * len(locks), report: progress}
	for sample := range s.Samples {
		for i, load := range s.Loads {
			for j := range locks {
				lock := locks[(sample+i+j)%len(locks)]
				r, err := runCell(ctx, lock, load, s.Cell)
				if err != nil {
					return err
				}
				if each != nil {
					if err := each(lock, load, sample, r); err != nil {
						return err
					}
				}
				t.cell(cellName(lock.Name, load))
			}
		}
	}
	return nil
}

// warmUp runs every lock once under the first load.
func (s Suite) warmUp(ctx context.Context, locks []Lock) error {
	for _, lock := range locks {
		if _, err := runCell(ctx, lock, s.Loads[0], min(s.Cell, 20*time.Millisecond)); err != nil {
			return err
		}
	}
	return nil
}

// cellTries bounds how often a cell is measured until somebody gets the lock.
const cellTries = 5

// runAgain is Run on a new lock. A short run in which nobody got the lock, since
// other programs had the CPUs, is done again: it must not cost the rest of a suite.
func runAgain(ctx context.Context, make func() sync.Locker, load Load, d time.Duration) (r Result, err error) {
	for range cellTries {
		if r, err = Run(ctx, make(), load, d); !errors.Is(err, errNobody) {
			break
		}
	}
	return r, err
}

// runCell is runAgain with the cell's name in its errors.
func runCell(ctx context.Context, lock Lock, load Load, d time.Duration) (Result, error) {
	r, err := runAgain(ctx, lock.New, load, d)
	if err != nil && (ctx.Err() == nil || errors.Is(err, ErrNotExclusive)) {
		return r, fmt.Errorf("%s: %w", cellName(lock.Name, load), err)
	}
	return r, err
}

// cellName is what follows the benchmark in a result's name.
func cellName(lock string, load Load) string { return "lock=" + lock + "/" + load.Key() }

// tracker makes Progress.
type tracker struct {
	start       time.Time
	done, total int
	report      func(Progress)
}

// cell notes that a cell was measured.
func (t *tracker) cell(name string) {
	t.done++
	if t.report == nil {
		return
	}
	elapsed := time.Since(t.start)
	t.report(Progress{
		Done: t.done, Total: t.total,
		Elapsed: elapsed,
		ETA:     elapsed / time.Duration(t.done) * time.Duration(t.total-t.done),
		Cell:    name,
	})
}
