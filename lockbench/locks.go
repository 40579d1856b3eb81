// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/turnstile-go/turnstile/spin"
	turnstile "github.com/turnstile-go/turnstile/sync"
)

// builtinLocks are the locks every suite knows, std first: it is what the others
// are compared with.
var builtinLocks = []Lock{
	{"std", func() sync.Locker { return new(sync.Mutex) }},
	{"turnstile", func() sync.Locker { return new(turnstile.Mutex) }},
	{"ticket", func() sync.Locker { return new(spin.Ticket) }},
	{"chan", func() sync.Locker { return make(chanLock, 1) }},
	{"xsem", func() sync.Locker { return &semLock{semaphore.NewWeighted(1)} }},
}

// defaultLocks are those a suite runs unless told otherwise. A plain ticket lock
// is not among them: with many more goroutines than CPUs it takes minutes.
var defaultLocks = []string{"std", "turnstile"}

// chanLock is a channel with one slot, a lock many programs write by hand.
type chanLock chan struct{}

// Lock fills the slot.
func (c chanLock) Lock() { c <- struct{}{} }

// Unlock empties it.
func (c chanLock) Unlock() { <-c }

// semLock is a weighted semaphore of x/sync used as a lock: FIFO.
type semLock struct{ w *semaphore.Weighted }

// Lock acquires the whole semaphore. It cannot fail without a deadline.
func (s *semLock) Lock() { _ = s.w.Acquire(context.Background(), 1) }

// Unlock releases it.
func (s *semLock) Unlock() { s.w.Release(1) }
