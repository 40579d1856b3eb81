// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package sync

import (
	"sync/atomic"

	"github.com/turnstile-go/turnstile/internal/race"
)

// mutexWord is the atomic word of a Mutex. The race detector would take each of these
// operations for an ordering between any two goroutines that touch the lock, and so
// overlook races of a program that, say, fails a TryLock. It is told edge A by name.
type mutexWord struct{ bits atomic.Uint32 }

func (w *mutexWord) load() mutexState {
	race.Disable()
	s := w.bits.Load()
	race.Enable()
	return mutexState(s)
}

func (w *mutexWord) cas(old, next mutexState) bool {
	race.Disable()
	ok := w.bits.CompareAndSwap(uint32(old), uint32(next))
	race.Enable()
	return ok
}

func (w *mutexWord) drop() mutexState {
	race.Disable()
	s := w.bits.Add(^uint32(0))
	race.Enable()
	return mutexState(s)
}
