// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"context"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/parking"
	"github.com/turnstile-go/turnstile/internal/race"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// LockContext takes m, or gives up when ctx ends and returns an error that matches both
// ctx.Err() and context.Cause(ctx); m is then as if it had not been called. A free lock
// is taken whether or not ctx has ended, and a lock that was handed over is kept. A nil
// ctx panics.
func (m *Mutex) LockContext(ctx context.Context) error {
	if ctx == nil {
		panic("sync: nil context")
	}
	if !m.take() {
		if err := m.lockContextSlow(ctx); err != nil {
			return err
		}
	}
	if race.Enabled {
		race.Acquire(unsafe.Pointer(m))
	}
	return nil
}

func (m *Mutex) lockContextSlow(ctx context.Context) error {
	if ctx.Err() != nil {
		return parking.ContextError(ctx)
	}
	if m.spin() {
		return nil
	}
	asym.Contended()
	var a arrival
	for {
		got, err := m.sleepContext(ctx, &a)
		if got {
			return nil
		}
		if err == nil && ctx.Err() == nil {
			if m.compete(&a) {
				return nil
			}
			continue
		}
		m.giveUp(&a)
		return parking.ContextError(ctx)
	}
}

// sleepContext is sleep that ends when ctx does. A callback that has ended it leaves the
// queue as one step with the change of ctl.
func (m *Mutex) sleepContext(ctx context.Context, a *arrival) (got bool, err error) {
	m.raise()
	if a.since == 0 {
		a.since = rt.Nanotime()
	}
	token, slept, err := parking.ParkContext(ctx, unsafe.Pointer(m),
		func(unsafe.Pointer) bool { return m.enqueue(a) },
		func(_ unsafe.Pointer, rest parking.Queue) { m.withdraw(rest.Len > 0) },
		parking.Options{Front: a.woken, Since: a.since, Skip: profileSkip})
	if err != nil {
		return false, err
	}
	return m.awake(a, token, slept), nil
}

// withdraw runs under the lock of the queue when one has left it without being woken.
func (m *Mutex) withdraw(more bool) {
	for {
		c := m.load()
		if m.cas(c, c.dequeue(more)) {
			return
		}
	}
}

// giveUp is the end of a wait that has not got the lock. A wake is passed on, and one
// that has raised FENCED first looks at the lock: while it was in its barrier another may
// have gone to sleep relying on it (I4).
func (m *Mutex) giveUp(a *arrival) {
	for a.woken {
		c := m.load()
		if m.cas(c, c.resign()) {
			a.woken = false
		}
	}
	if m.load().mayWake() {
		m.look()
	}
}
