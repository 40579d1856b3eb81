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
// code. For first-come-first-served order choose package qticket.
//
// # Guarantees
//
// The zero Mutex is unlocked. A Mutex must not be copied after first use; go vet sees
// copies. For n < m the n-th Unlock is synchronized before the m-th Lock returns; a
// TryLock that returns true counts as a Lock, one that returns false orders nothing.
// Any goroutine may unlock. Unlock of an unlocked Mutex ends the program with "fatal
// error: sync: unlock of unlocked mutex".
//
// Fairness: a goroutine that runs may take a free lock ahead of those asleep (barging).
// A waiter that was woken, finds the lock taken again and has waited longer than
// mutexPatience stops that: from then on the lock passes from holder to the first
// sleeper, until it reaches one that has waited less or that leaves none behind. What
// bounds a wait is therefore the time until the scheduler first runs the woken waiter,
// plus the sections of those asleep ahead of it; about one Unlock in mutexGrace that
// sees a woken waiter not running yet gives its P away to shorten the first part.
// Sleepers wait first come first served.
//
// # Differences from sync
//
// A TryLock fails only while the lock is held; the standard one may also fail when the
// word changes under it. A goroutine dump shows a waiter as "sync.RWMutex.Lock": the
// wait reason of a Mutex is closed to packages outside the standard library.
//
// # State word
//
// The word, high to low:
//
//	[31:3] sleepers   registered waiters, less those woken
//	[2]    handoff    the lock goes from holder to sleeper, nobody else takes it
//	[1]    awake      one waiter is up and will look at the word again
//	[0]    locked     held
//
// Reachable combinations:
//
//	handoff awake locked sleepers   meaning
//	   0      0     0      0        free
//	   0      0     0      n > 0    free, and the goroutine that freed it is about to wake a sleeper
//	   0      1     0      any      free; the one awake will try to take it
//	   0      0     1      any      held; Unlock wakes a sleeper, if there is one
//	   0      1     1      any      held; Unlock wakes nobody, for the one awake does the looking
//	   1      0     1      n > 0    held; Unlock hands over
//	   1      0     0      n > 0    on its way to a sleeper
//
// Transitions are pure functions on the word, in state.go; mutex.go does what they say.
//
// Invariants:
//
//	I1 The lock is free while neither locked nor handoff is set, and only then can be
//	   taken. A sleeper that finds handoff standing owns it.
//	I2 handoff and awake exclude each other: only the owner of awake sets handoff, and
//	   clears awake in the same step; nobody sets awake while handoff stands.
//	I3 At most one unit of the semaphore is on its way. It was given with awake (wake)
//	   or with handoff (grant), and whichever of the two its receiver finds standing is
//	   how it was given, for nobody else clears either.
//	I4 While there are sleepers, the lock is held or on its way, or somebody is awake,
//	   or an Unlock is about to wake: somebody will look, and no sleeper is lost.
//	I5 awake has exactly one owner: the receiver of the unit given with it, or the
//	   spinner that set it.
//	I6 handoff implies sleepers: the last one clears it.
//
// # Ordering
//
//	A  Unlock -> Lock, TryLock: the word, by the subtraction here and the
//	   compare-and-swap there
//	B  Unlock -> the woken or granted sleeper: the semaphore
//
// In a -race build the atomics on the word are hidden from the detector and the edges
// are told to it by name, so that it sees Unlock before Lock and nothing else.
//
// # References
//
// Barging with a bound by direct handoff is the standard library's policy since Go 1.9
// (Vyukov 2016, sync: make Mutex more fair); the word and the transitions here are
// this module's own. Spin-then-park: Karlin, Li, Manasse and Owicki 1991, Empirical
// studies of competitive spinning for a shared-memory multiprocessor.
package sync
