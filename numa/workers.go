// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// A Worker tells a worker function where it runs.
type Worker struct {
	Index              int // from 0
	CPU, Node, Cluster int // where it is pinned; -1 when it is not
}

// A PanicError is what Workers returns for a worker that panicked.
type PanicError struct {
	Worker int    // its index
	Value  any    // what it panicked with
	Stack  []byte // of the panic
}

// Error gives the worker and the panic's value, without the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("numa: worker %d panicked: %v", e.Worker, e.Value)
}

// Unwrap returns the panic's value where that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// errExited is the error of a worker that called runtime.Goexit.
var errExited = errors.New("left by runtime.Goexit")

// Workers runs fn in n goroutines placed by p on the machine t, which is Host
// when it is nil, and waits for all of them. A pinned worker has a thread of its
// own on one CPU. All workers stand ready, pinned, before the first one starts;
// afterwards no thread keeps a narrowed mask.
//
// The context given to fn ends with ctx and as soon as one worker fails, so
// that the others can stop early. Workers returns the errors of all workers,
// each with its worker's index, and a panic as a *PanicError; nil when all
// returned nil. They are joined in one line, and errors.Is and errors.As find
// each of them. When ctx has already ended, or the placement cannot be
// had, no worker starts.
func Workers(ctx context.Context, t *Topology, p Placement, n int, fn func(ctx context.Context, w Worker) error) error {
	if ctx == nil {
		panic("numa: nil context")
	}
	if n < 1 {
		return fmt.Errorf("numa: %d workers asked for, at least 1 is needed", n)
	}
	places, err := p.workers(t, n)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("numa: workers not started: %w", notStarted(ctx))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	team := &team{fn: fn, fail: cancel, errs: make([]error, n), start: make(chan struct{})}
	team.ready.Add(n)
	for _, w := range places {
		team.done.Go(func() { team.run(ctx, w) })
	}
	team.ready.Wait()
	// A worker that could not be pinned has written its error by now; then none
	// starts.
	team.off = joinErrors(team.errs...) != nil
	close(team.start)
	team.done.Wait()
	return joinErrors(team.errs...)
}

// notStarted returns why ctx has ended: its error and, where that is another
// one, its cause.
func notStarted(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return joinErrors(ctx.Err(), cause)
	}
	return joinErrors(ctx.Err())
}

// workers returns n workers with their places.
func (p Placement) workers(t *Topology, n int) ([]Worker, error) {
	if t == nil {
		var err error
		if t, err = Host(); err != nil {
			return nil, err
		}
	}
	cpus, err := p.CPUs(t)
	if err != nil {
		return nil, err
	}
	all := make([]Worker, n)
	for i := range all {
		all[i] = Worker{Index: i, CPU: -1, Node: -1, Cluster: -1}
		if len(cpus) > 0 {
			c, _ := t.CPU(cpus[i%len(cpus)])
			all[i].CPU, all[i].Node, all[i].Cluster = c.ID, c.Node, c.Cluster
		}
	}
	return all, nil
}

// team is the state of one call of Workers.
type team struct {
	fn          func(context.Context, Worker) error
	fail        context.CancelCauseFunc
	errs        []error       // each written by its own worker
	start       chan struct{} // closed when all are ready
	off         bool          // nobody is to start; written before start is closed
	ready, done sync.WaitGroup
}

// run is the life of one worker.
func (t *team) run(ctx context.Context, w Worker) {
	if w.CPU >= 0 {
		restore, err := Pin(CPUSetOf(w.CPU))
		if err != nil {
			t.report(w, fmt.Errorf("worker %d: %w", w.Index, err))
		} else {
			// If this fails the goroutine ends locked to its thread, which
			// ends the thread: it never goes back narrowed.
			defer restore()
		}
	}
	t.ready.Done()
	<-t.start
	if !t.off {
		t.work(ctx, w)
	}
}

// work calls fn and reports how it ended.
func (t *team) work(ctx context.Context, w Worker) {
	err := errExited // stays when fn calls runtime.Goexit
	defer func() {
		if v := recover(); v != nil {
			t.report(w, &PanicError{w.Index, v, debug.Stack()})
		} else if err != nil {
			t.report(w, fmt.Errorf("worker %d: %w", w.Index, err))
		}
	}()
	err = t.fn(ctx, w)
}

// report records why a worker failed.
func (t *team) report(w Worker, err error) {
	t.errs[w.Index] = err
	t.fail(err)
}
