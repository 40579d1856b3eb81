// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A view is one method with a context, and what it takes to make it wait.
type view struct {
	name    string
	l       sync.Locker
	lock    func(context.Context) error
	unlock  func()
	block   func() // takes the lock so that lock waits
	unblock func()
}

// views returns LockContext of l and, if it has one, RLockContext, which waits for a
// writer.
func views(l sync.Locker) []view {
	m := l.(ContextLocker)
	out := []view{{"LockContext", l, m.LockContext, m.Unlock, m.Lock, m.Unlock}}
	if rw, ok := l.(RContextLocker); ok {
		out = append(out, view{"RLockContext", l, rw.RLockContext, rw.RUnlock, m.Lock, m.Unlock})
	}
	return out
}

var errCause = errors.New("cause of a test")

// context checks what api.md says of every blocking method with a context.
func (r *run) context() {
	for _, v := range views(r.New()) {
		r.contextNil(v)
		r.contextFree(v)
		r.contextEnded(v)
		for range stress(20) {
			r.contextCancel(v)
		}
		r.contextDeadline(v)
		r.contextGrant(v)
	}
}

// contextNil: a nil context panics before anything changes.
func (r *run) contextNil(v view) {
	func() {
		defer func() {
			if recover() == nil {
				r.Errorf("%s(nil) did not panic", v.name)
				v.unlock()
			}
		}()
		var none context.Context
		v.lock(none)
	}()
	r.stillFree(v, "a nil context")
}

// contextFree: an ended context does not matter while nothing needs waiting.
func (r *run) contextFree(v view) {
	for _, ctx := range []context.Context{context.Background(), ended()} {
		if err := v.lock(ctx); err != nil {
			r.Errorf("%s on a free lock: %v, want nil", v.name, err)
			return
		}
		v.unlock()
	}
	r.stillFree(v, "success")
}

// contextEnded: with an ended context and a held lock it gives up at once.
func (r *run) contextEnded(v view) {
	v.block()
	ctx := ended()
	r.gaveUp(v, ctx, v.lock(ctx))
	v.unblock()
	r.stillFree(v, "an ended context")
}

// contextCancel: a waiter leaves when its context ends, and the holder's Unlock frees
// the lock.
func (r *run) contextCancel(v view) {
	v.block()
	ctx, cancel := context.WithCancelCause(context.Background())
	result := make(chan error)
	go func() { result <- v.lock(ctx) }()
	if r.Waiters != nil {
		r.waiters(v.l, 1)
	}
	cancel(errCause)
	r.gaveUp(v, ctx, <-result)
	if r.Waiters != nil && r.Waiters(v.l) != 0 {
		r.Errorf("%s: %d waiters after the only one has left", v.name, r.Waiters(v.l))
	}
	v.unblock()
	r.stillFree(v, "a cancelled wait")
}

// contextDeadline: a deadline is an end like any other.
func (r *run) contextDeadline(v view) {
	v.block()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	err := v.lock(ctx)
	r.gaveUp(v, ctx, err)
	if !errors.Is(err, context.DeadlineExceeded) {
		r.Errorf("%s past its deadline: %v", v.name, err)
	}
	v.unblock()
	r.stillFree(v, "a deadline")
}

// contextGrant: a waiter gets the lock, and an end of its context after that changes
// nothing.
func (r *run) contextGrant(v view) {
	v.block()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	result := make(chan error)
	go func() { result <- v.lock(ctx) }()
	if r.Waiters != nil {
		r.waiters(v.l, 1)
	}
	v.unblock()
	if err := <-result; err != nil {
		r.Errorf("%s with nobody in the way: %v, want nil", v.name, err)
		return
	}
	cancel()
	v.unlock()
	r.stillFree(v, "a grant")
}

func ended() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errCause)
	return ctx
}

// gaveUp checks the error of a wait that ended with ctx.
func (r *run) gaveUp(v view, ctx context.Context, err error) {
	switch {
	case err == nil:
		r.Errorf("%s took a lock that another holds", v.name)
	case !errors.Is(err, ctx.Err()) || !errors.Is(err, context.Cause(ctx)):
		r.Errorf("%s gave up with %q, want an error that is both %q and %q", v.name, err, ctx.Err(), context.Cause(ctx))
	}
}

// stillFree checks that the lock can be had without waiting.
func (r *run) stillFree(v view, after string) {
	if err := v.lock(ended()); err != nil {
		r.Errorf("%s: the lock is not free after %s: %v", v.name, after, err)
		return
	}
	v.unlock()
}

// contextQueue cancels every other waiter of a queue: those that stay keep their
// order, and all are served.
func (r *run) contextQueue() {
	n := r.many(12, 4)
	l := r.New().(ContextLocker)
	var got []int // guarded by l
	var wg sync.WaitGroup
	cancels := make([]context.CancelFunc, n)
	l.Lock()
	for i := range n {
		ctx, cancel := context.WithCancel(context.Background())
		cancels[i] = cancel
		wg.Go(func() {
			if l.LockContext(ctx) == nil {
				got = append(got, i)
				l.Unlock()
			}
		})
		r.waiters(l, i+1)
	}
	for i := 0; i < n; i += 2 {
		cancels[i]()
	}
	r.waiters(l, n/2)
	l.Unlock()
	wg.Wait()
	for _, cancel := range cancels {
		cancel()
	}
	if len(got) != n/2 || slices.ContainsFunc(got, func(i int) bool { return i%2 == 0 }) {
		r.Errorf("of %d waiters the odd ones stayed, and %v were served", n, got)
	}
	if r.FIFO && !slices.IsSorted(got) {
		r.Errorf("after cancellations waiters were served in the order %v", got)
	}
}

// contextStorm cancels waiters while they are being granted the lock. Who is told nil
// holds it, who is told an error does not, and no wake-up is lost with a waiter that
// leaves.
func (r *run) contextStorm() {
	for _, v := range views(r.New()) {
		st := storm{r: r, v: v, s: r.section(), exclusive: v.name == "LockContext"}
		goroutines, rounds := r.many(8, 4), stress(500)
		st.cancels = make([]atomic.Pointer[context.CancelFunc], goroutines)
		var wg sync.WaitGroup
		for g := range goroutines {
			wg.Go(func() {
				for i := range rounds {
					st.round(g, i)
				}
			})
		}
		wg.Wait()
		r.stillFree(v, "a storm of cancellations")
		st.s.counted(int(st.held.Load()))
	}
}

type storm struct {
	r         *run
	v         view
	s         *section
	exclusive bool                                 // the method excludes its own kind
	held      atomic.Int64                         // exclusive sections
	cancels   []atomic.Pointer[context.CancelFunc] // of those that wait, by goroutine
}

// round waits once: in goroutine 0 without end, in others until somebody unlocks.
func (st *storm) round(g, i int) {
	if g == 0 || (g+i)%4 == 0 {
		st.v.block()
		st.held.Add(1)
		st.s.linger()
		st.v.unblock()
		st.cancelWaiters(i)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	st.cancels[g].Store(&cancel)
	err := st.v.lock(ctx)
	st.cancels[g].Store(nil)
	switch {
	case err != nil:
		if !errors.Is(err, context.Canceled) {
			st.r.Errorf("%s gave up with %v", st.v.name, err)
		}
		return
	case st.exclusive:
		st.held.Add(1)
		st.s.linger()
	default:
		st.s.read()
	}
	st.v.unlock()
	st.cancelWaiters(i)
}

// cancelWaiters comes right after an unlock, so that the waiter whose turn it is meets
// grant and end together. Every other time it lets them live.
func (st *storm) cancelWaiters(i int) {
	if i%2 == 0 {
		return
	}
	for g := range st.cancels {
		if cancel := st.cancels[g].Load(); cancel != nil {
			(*cancel)()
		}
	}
}
