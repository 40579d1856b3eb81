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
// when it is nil, and waits for all of them. All workers stand ready before the
// first one starts.
//
// The context given to fn ends with ctx and as soon as one worker fails, so
// that the others can stop early. Workers returns the errors of all workers
// joined, each with its worker's index, and a panic as a *PanicError; nil when
// all returned nil. When ctx has already ended, or the placement cannot be
// had, no worker starts.
func Workers(ctx context.Context, t *Topology, p Placement, n int, fn func(ctx context.Context, w Worker) error) error {
	if ctx == nil {
		panic("numa: nil context")
	}
	if n < 1 {
		return fmt.Errorf("numa: %d workers asked for, at least 1 is needed", n)
	}
	if p.kind != placeUnpinned {
		return fmt.Errorf("numa: placement %v is not available yet, only %v is", p, Unpinned)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("numa: workers not started: %w", errors.Join(ctx.Err(), context.Cause(ctx)))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	team := &team{fn: fn, fail: cancel, errs: make([]error, n), start: make(chan struct{})}
	team.ready.Add(n)
	for i := range n {
		team.done.Go(func() { team.run(ctx, Worker{Index: i, CPU: -1, Node: -1, Cluster: -1}) })
	}
	team.ready.Wait()
	close(team.start)
	team.done.Wait()
	return errors.Join(team.errs...)
}

// team is the state of one call of Workers.
type team struct {
	fn          func(context.Context, Worker) error
	fail        context.CancelCauseFunc
	errs        []error // each written by its own worker
	start       chan struct{}
	ready, done sync.WaitGroup
}

// run is the life of one worker.
func (t *team) run(ctx context.Context, w Worker) {
	t.ready.Done()
	<-t.start
	err := errExited // stays when fn calls runtime.Goexit
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{w.Index, v, debug.Stack()}
		}
		t.report(w, err)
	}()
	err = t.fn(ctx, w)
}

// report records how a worker ended.
func (t *team) report(w Worker, err error) {
	if err == nil {
		return
	}
	if _, ok := err.(*PanicError); !ok {
		err = fmt.Errorf("worker %d: %w", w.Index, err)
	}
	t.errs[w.Index] = err
	t.fail(err)
}
