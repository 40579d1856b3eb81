// SPDX-License-Identifier: BSD-3-Clause

// Package parking is a parking lot: queues of sleeping goroutines, found by the address
// of the lock they wait for.
//
// # What
//
// Park sleeps on a key, UnparkOne, UnparkFilter and UnparkAll wake its sleepers, in the
// order in which they came. Checking the lock's word and falling asleep are one step, as
// are choosing whom to wake and changing the word. ParkContext sleeps until a context
// ends.
//
// # When to choose it
//
// When a lock must cancel a wait, hand itself over, wake a chosen set, or know how long
// the first in line has waited. A runtime semaphore does none of this; it costs less (see
// BenchmarkPark) and goroutine-leak profiles know who waits on it.
//
// # Guarantees
//
// First come first served for each key, but for Options.Front. Nothing is allocated for a
// wait without a context in the steady state: waiters come from a list of each P, and at
// most 2^14 idle ones are kept. A wait with a context allocates, for the context. A wake
// and a withdrawal exclude each other, and who is first under the bucket's lock wins.
//
// The key is the address of a part of the lock. Waiters hold it as a pointer, which keeps
// the lock alive and makes the compiler put every lock that can get here on the heap,
// where objects do not move.
//
// Sleepers sleep on a runtime semaphore of their own, in the way of an RWMutex's writer:
// goroutine dumps say sync.RWMutex.Lock or sync.Mutex.Lock, block and mutex profiles see
// them (Options.Skip and skip choose the frame), and "all goroutines are asleep" counts
// them. Semaphores are reachable from the table, so that the goroutine-leak profile does
// not report them. With the portable hooks of package rt they show as whatever that uses.
//
// In a testing/synctest bubble such a sleep is not a durable block, as with sync.Mutex:
// the bubble's clock stands still and synctest.Wait waits, until somebody wakes the
// sleeper. So a timeout inside the bubble does not end it, unless some other goroutine,
// inside or outside, ends the context. Wakes and cancellations may cross bubbles; a context
// makes its Done channel when first asked, so that one to be cancelled from outside must
// have been asked outside, or the runtime ends the program at the cancellation.
//
// # State word
//
// A waiter is queued (the bucket's lock guards it), then woken or withdrawn (the sleeper
// owns it):
//
//	queued  gone   meaning
//	true    false  asleep or about to be, in its queue
//	false   false  woken, token says how
//	false   true   withdrawn by its context
//
// I1: exactly the queued waiters are in the table. I2: each one that leaves the table gets
// exactly one unit of its semaphore, after the bucket's lock has been dropped. I3: nobody
// but the sleeper touches a waiter after that unit, and a sleeper without a context
// returns it to a list.
//
// A bucket's lock is held pinned to the P, for tens of nanoseconds, never while waking.
// Callbacks run under it, with the race detector told to ignore their synchronisation:
// what they share with others must be atomic.
//
// # Ordering
//
//	S  wake or withdrawal -> return of Park: the waiter's semaphore. The race detector
//	   does not see it: what a lock orders is for the lock to say, by package race.
//
// # References
//
// Pizlo 2016, Locking in WebKit (the parking lot). Franke, Russell and Kirkwood 2002,
// Fuss, futexes and furwocks (check and sleep as one step).
package parking
