// SPDX-License-Identifier: BSD-3-Clause

// Package sync stands in for the standard library's sync: change the import path and
// nothing else.
//
// # What
//
// Mutex is this module's own lock. RWMutex, Cond, Locker, Map, Once, Pool and WaitGroup
// are the standard types under their own names, and the functions call the standard
// ones, so that values of both packages mix freely, except that a *Mutex of one is not
// a *Mutex of the other.
//
// # When to choose it
//
// When a program uses sync.Mutex and wants the lock of this module without touching its
// code. For strict first-come-first-served order among few goroutines and short sections
// choose spin.Ticket.
//
// # Guarantees
//
// The zero Mutex is unlocked. A Mutex must not be copied after first use; go vet sees
// copies. For n < m the n-th Unlock is synchronized before the m-th Lock returns; a
// TryLock that returns true counts as a Lock, one that returns false orders nothing.
// Any goroutine may unlock. Unlock of an unlocked Mutex ends the program with "fatal
// error: sync: unlock of unlocked mutex".
//
// Fairness: a goroutine that runs may take a free lock ahead of those asleep (barging),
// for one turn of some microseconds; then the lock is handed to the first in the queue.
// Waiters queue first come first served. Package internal/mutex has the bound and why it
// holds. LockContext gives up when its context ends.
//
// The first goroutine of a process that has to wait starts a registration with the
// kernel (Linux on amd64), which makes Unlock cheaper from then on; before it, and where
// there is no such thing, Unlock is fenced and costs what the standard one does. The
// environment TURNSTILE_ASYM=off prevents it. A program that never contends starts
// nothing.
//
// # Differences from sync
//
//   - Unlock is a release and no more: what the caller does after it may become visible
//     before others see the lock unlocked. A program that publishes work, fails a
//     TryLock and relies on the holder to look for work once more after its Unlock can
//     lose that work; with the standard Mutex, whose Unlock is a full fence, it cannot.
//   - Of two Unlocks that overlap, one too many may go unnoticed.
//   - A TryLock fails only while the lock is held; the standard one may also fail when
//     the word changes under it.
//   - A goroutine dump shows a waiter as "sync.RWMutex.Lock", with frames of this module
//     above the caller of Lock, and so do the block and mutex profiles. The mutex
//     profile charges the whole of a wait to the Unlock that ends it, so that the share
//     of one that holds for long is smaller than with the standard Mutex. The
//     goroutine-leak profile does not report those that wait for a lock nobody can reach.
//
// # State word
//
// Two words of 32 bits, locked and control. Package internal/mutex has their bits, the
// reachable combinations and the invariants.
//
// # Ordering
//
//	A  Unlock -> Lock, TryLock, LockContext: the locked word, or the grant
//
// In a -race build the atomics are hidden from the detector and the edge is told to it by
// name, so that it sees Unlock before Lock and nothing else.
//
// # References
//
// See package internal/mutex.
package sync
