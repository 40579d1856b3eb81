// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package sync

import "sync/atomic"

// mutexWord is the atomic word of a Mutex.
type mutexWord struct{ bits atomic.Uint32 }

func (w *mutexWord) load() mutexState { return mutexState(w.bits.Load()) }

// cas carries edge A.
func (w *mutexWord) cas(old, next mutexState) bool {
	return w.bits.CompareAndSwap(uint32(old), uint32(next))
}

// drop subtracts mutexLocked and returns the new word. It carries edge A.
func (w *mutexWord) drop() mutexState { return mutexState(w.bits.Add(^uint32(0))) }
