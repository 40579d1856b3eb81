// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

var errWhy = errors.New("the test's own reason")

func TestLockContext(t *testing.T) {
	modes(t, func(t *testing.T) {
		var m Mutex
		ended, end := context.WithCancelCause(context.Background())
		end(errWhy)
		if err := m.LockContext(ended); err != nil {
			t.Fatalf("a free lock and an ended context: %v", err)
		}
		if err := m.LockContext(ended); !errors.Is(err, context.Canceled) || !errors.Is(err, errWhy) {
			t.Errorf("a held lock and an ended context: %v, want both Canceled and the cause", err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		got := make(chan error)
		go func() { got <- m.LockContext(ctx) }()
		for m.Waiters() != 1 {
			runtime.Gosched()
		}
		cancel(errWhy)
		if err := <-got; !errors.Is(err, context.Canceled) || !errors.Is(err, errWhy) {
			t.Errorf("cancelled in the queue: %v, want both Canceled and the cause", err)
		}
		if m.Waiters() != 0 || m.load()&(ctlParked|ctlWoken|ctlHandoff) != 0 {
			t.Errorf("the one that gave up left %d waiters and ctl %#x", m.Waiters(), m.load())
		}
		m.Unlock()
		if err := m.LockContext(context.Background()); err != nil {
			t.Error(err)
		}
		m.Unlock()
	})
}

func TestLockContextNil(t *testing.T) {
	var m Mutex
	defer func() {
		if recover() == nil || m.locked() != 0 {
			t.Errorf("a nil context: locked %d, want a panic and no change", m.locked())
		}
	}()
	var none context.Context
	_ = m.LockContext(none)
}

// TestCancelledHeadPassesOn has the head of the queue give up while a grant is due: the
// next in line gets it.
func TestCancelledHeadPassesOn(t *testing.T) {
	modes(t, func(t *testing.T) {
		var m Mutex
		m.Lock()
		ctx, cancel := context.WithCancel(context.Background())
		first, second := make(chan error), make(chan struct{})
		go func() { first <- m.LockContext(ctx) }()
		for m.Waiters() != 1 {
			runtime.Gosched()
		}
		go func() {
			m.Lock()
			m.Unlock() //lint:ignore SA2001 the pair is what matters
			close(second)
		}()
		for m.Waiters() != 2 {
			runtime.Gosched()
		}
		m.w.Ctl.Or(uint32(ctlHandoff))
		cancel()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		m.Unlock()
		<-second
		if !m.Idle() {
			t.Errorf("left behind: ctl %#x", m.load())
		}
	})
}

// TestBubbles waits with a context inside a synctest bubble, outside and in another one:
// nothing that belongs to a bubble may stay in the queue's memory.
func TestBubbles(t *testing.T) {
	wait := func() {
		var m Mutex
		m.Lock()
		ctx, cancel := context.WithCancel(context.Background())
		got := make(chan error)
		go func() { got <- m.LockContext(ctx) }()
		for m.Waiters() != 1 {
			runtime.Gosched()
		}
		cancel()
		if err := <-got; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		go func() { got <- m.LockContext(context.Background()) }()
		for m.Waiters() != 1 {
			runtime.Gosched()
		}
		m.Unlock()
		if err := <-got; err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		synctest.Test(t, func(t *testing.T) {
			wait()
			time.Sleep(time.Hour) // the bubble's clock still moves
		})
		wait()
	}
}
