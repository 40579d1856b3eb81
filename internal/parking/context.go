// SPDX-License-Identifier: BSD-3-Clause

package parking

import (
	"context"
	"errors"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// ParkContext is Park that ends when ctx does: then leave(key, rest), which may be nil,
// has run in one step with the withdrawal, with the waiters that remain, and the error
// is ContextError(ctx). A wake that has happened wins over a cancellation that comes
// later. The rules for validate hold for leave. A nil ctx panics before anything else.
//
// The second result and the error are: false, nil when validate said no; true, nil when
// woken; true and an error when withdrawn. Whoever is withdrawn owes the lock a look:
// others may have relied on its being there.
func ParkContext(ctx context.Context, key unsafe.Pointer, validate func(key unsafe.Pointer) bool,
	leave func(key unsafe.Pointer, rest Queue), o Options) (Token, bool, error) {
	if ctx == nil {
		panic("parking: nil context")
	}
	if ctx.Done() == nil {
		o.Skip++
		t, ok := Park(key, validate, o)
		return t, ok, nil
	}
	w := &waiter{leave: leave} // not from a list: a late cancellation may still look at it
	if !w.enqueue(key, validate, o) {
		return 0, false, nil
	}
	stop := context.AfterFunc(ctx, w.withdraw)
	rt.SemacquireMutex(&w.sema, false, frames(o.Skip)) // edge S
	stop()
	t, gone := w.result()
	if gone {
		return 0, true, ContextError(ctx)
	}
	return t, true, nil
}

//go:norace
func (w *waiter) result() (Token, bool) { return w.token, w.gone }

// withdraw takes w out of its queue if it is still there, and wakes it.
func (w *waiter) withdraw() {
	if w.unqueue() {
		rt.Semrelease(&w.sema, false, 0) // edge S
	}
}

//go:norace
func (w *waiter) unqueue() bool {
	b := bucketOf(w.key)
	b.lock()
	was := w.queued
	if was {
		b.remove(w)
		w.gone = true
		if w.leave != nil {
			_, rest := b.head(w.key)
			w.leave(w.key, rest)
		}
	}
	b.unlock()
	return was
}

// ContextError is the error of a wait that ctx ended: it matches both ctx.Err() and
// context.Cause(ctx), and is the former itself when they are the same.
func ContextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	if errors.Is(err, cause) {
		return err
	}
	return &endedError{err, cause}
}

type endedError struct{ err, cause error }

func (e *endedError) Error() string   { return e.err.Error() + ": " + e.cause.Error() }
func (e *endedError) Unwrap() []error { return []error{e.err, e.cause} }
