// SPDX-License-Identifier: BSD-3-Clause

// Package mutex is the lock behind the drop-in sync.Mutex: eight bytes, one atomic
// read-modify-write for an uncontended pair, bounded waits, contexts.
//
// # What
//
// A release is a plain store while nobody sleeps, and fenced while somebody does: who is
// about to sleep pays, once, with a barrier in every thread (package asym). A running
// goroutine may take a free lock ahead of those asleep; how long they let that happen is
// one turn, a bounded time. Then the lock is handed to the first in the queue, which runs
// at once on the P of the goroutine that hands over.
//
// # When to choose it
//
// Through package sync.
//
// # Guarantees
//
// The zero Mutex is free. It must not be copied after first use. For n < m the n-th
// Unlock is synchronized before the m-th Lock returns; a TryLock or LockContext that
// succeeds counts as a Lock. Any goroutine may unlock. Unlock of a free Mutex ends the
// program with "fatal error: sync: unlock of unlocked mutex".
//
// Waits are bounded. Let T be the longest turn (16 us in general; up to 80 us while
// sections are so short that 1200 of them fit into that), S the longest section and D the time the
// scheduler takes to run a goroutine that is ready. A goroutine that is n-th in the queue
// holds the lock after at most n(2T + 66S + D): a turn ends at the first release that
// finds it over; a release reads the clock when the number of releases in the turn is a
// power of two or a multiple of 64, or when nobody is on the way to the lock, so that a
// turn is found over before it is twice as long or 64 sections later; and then the head
// of the queue is handed the lock. A goroutine that was woken and loses goes back to the
// head, and hands the next release to it when the turn is over. What D is in a busy
// program is the scheduler's to say, but a granted goroutine is next on the P that
// granted. Arrivals spin for a few microseconds before they enter the queue.
//
// LockContext: a lock that is free is taken even if the context has ended; a lock that was
// granted is kept; one that gives up has changed nothing.
//
// # Differences from sync
//
//   - Unlock is a release and no more: what the caller does after it may become visible
//     before others see the lock free. A program that publishes work, fails a TryLock
//     and relies on the holder to look for work once more after its Unlock can lose that
//     work; with the standard Mutex, whose Unlock is a full fence, it cannot.
//     TestTryLockLitmus shows it.
//   - Of two Unlocks that overlap, one too many may go unnoticed.
//   - A goroutine dump shows a waiter as one of an RWMutex, with package parking on its
//     stack, and the goroutine-leak profile does not report those that wait for a lock
//     nobody can reach: the queues are reachable.
//   - A TryLock fails only while the lock is held.
//
// # State word
//
// Locked is 0 or 1, and programs in the wild may compare-and-swap it. Ctl is laid out at
// the type. Reachable combinations of its flags, besides a turn and a count:
//
//	handoff woken parked fenced   meaning
//	   0      0     0      0      nobody waits; a release is a plain store (0 in all) or
//	                              has counted itself after FENCED was cleared
//	   0      0     0      1      nobody is in the queue; releases are fenced, still or already
//	   0      0     1      1      a release that leaves the lock free wakes the head
//	   0      1     0      1      the only waiter known is on its way to the lock
//	   0      1     1      1      nobody is woken until that one has the lock or sleeps
//	   1      0     1      1      the next release hands the lock to the head
//	   1      1     1      1      as above, and another one is on its way
//
// Invariants:
//
//	I1 Locked is 1 from the taking, or the grant, to the release. Two never hold it.
//	I2 HANDOFF implies PARKED; PARKED and WOKEN imply FENCED.
//	I3 While the queue's lock is free, PARKED says that the queue is not empty.
//	I4 While FENCED stands, every release that has not looked at ctl is visible in
//	   Locked, or one goroutine that raised FENCED is still in its barrier and will look
//	   at the lock afterwards, whether it then waits or gives up.
//	I5 WOKEN has one owner, who takes the lock, or gives WOKEN up before its last look
//	   under the queue's lock, or passes the wake on.
//	I6 Sleepers and a free lock imply WOKEN, or a release or an owner of I4 or I5 that is
//	   about to look. So no sleeper is lost.
//
// # Ordering
//
//	A  Unlock -> Lock: the store of Locked -> the compare-and-swap that takes it.
//	B  store of Locked before the read of Ctl in a fenced release: the exchange, or the
//	   read-modify-write of Ctl that counts the release, or the fence of a late one.
//	C  FENCED raised before the look at Locked: the compare-and-swap that raises it, and
//	   the barrier that puts a fence into every release that was under way.
//	D  FENCED raised before the mode is read, by a waiter; store of Locked before the mode
//	   before Ctl, by a release.
//	E  mode 0 to 1: a waiter that saw 0 has raised FENCED before (package asym).
//	F  mode 2 to 0: after a barrier of its own (package asym).
//	G  FENCED cleared against entry into the queue: both compare-and-swap the whole word,
//	   so that one of them sees the other.
//	H  WOKEN given up before the last look at Locked: a release that still sees WOKEN has
//	   stored Locked before that look.
//	S  grant or wake -> the waiter: its semaphore in package parking.
//
// The model models/mutex.pml has a label for each of these, and a test compares the two.
// explore_test.go visits all interleavings of the transitions of state.go, which ship,
// with a store buffer for each goroutine, and sees each line that looks removable missed.
// In a -race build releases are fenced, and the detector is told edge A by name.
//
// # References
//
// Asymmetric fences for a lock's release: Dice, Huang and Yang 2001, Asymmetric Dekker
// synchronization; membarrier(2). Check and sleep as one step: Franke, Russell and
// Kirkwood 2002, Fuss, futexes and furwocks. Queues by address: Pizlo 2016, Locking in
// WebKit. Barging, bounded by a handoff: Vyukov 2016, sync: make Mutex more fair. Spin, then
// sleep: Karlin, Li, Manasse and Owicki 1991, Empirical studies of competitive spinning for
// a shared-memory multiprocessor.
package mutex
