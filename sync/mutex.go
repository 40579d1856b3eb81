// SPDX-License-Identifier: BSD-3-Clause

package sync

import "github.com/turnstile-go/turnstile/internal/mutex"

// Mutex is a mutual exclusion lock.
//
// The zero value is an unlocked Mutex. A Mutex must not be copied after first use. For
// n < m the n-th call of Unlock is synchronized before the m-th call of Lock returns; a
// TryLock that returns true and a LockContext that returns nil count as a Lock. A
// goroutine may be overtaken by others for some microseconds while it waits; then the
// lock is handed to it as soon as it is first in the queue.
//
// # Differences from sync.Mutex
//
// Unlock is a release operation, not a full fence. See the package comment.
type Mutex struct {
	mu mutex.Mutex // two words: locked, at offset 0, and the control word
}

// Lock locks m, and waits until it can. Only Unlock wakes it.
func (m *Mutex) Lock() { m.mu.Lock() }

// TryLock locks m if it is free, and reports whether it did. A TryLock that returns
// false has changed nothing and orders nothing.
func (m *Mutex) TryLock() bool { return m.mu.TryLock() }

// Unlock unlocks m. Any goroutine may call it. If m is not locked, the program ends
// with "fatal error: sync: unlock of unlocked mutex".
func (m *Mutex) Unlock() { m.mu.Unlock() }
