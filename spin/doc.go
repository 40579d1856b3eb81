// SPDX-License-Identifier: BSD-3-Clause

// Package spin holds a FIFO spin lock and the bounded waits that locks are built of.
//
// # What
//
// Ticket is the ticket lock of Mellor-Crummey and Scott (1991): an arrival draws a
// ticket from one counter and is served when the other counter shows it. A waiter
// waits in proportion to the number of tickets ahead of it before it looks again. Its
// uncontended pair costs one atomic read-modify-write: Lock draws the ticket, inlined,
// and Unlock is a plain store in assembly. Pause and Delay wait without a lock, and
// Features says what was chosen for this CPU.
//
// # When to choose it
//
// For sections of well under a microsecond, shared by at most as many goroutines as
// there are CPUs to run them. Beyond that every waiter burns a CPU that the holder may
// need, and order makes it worse, for only one waiter can use the lock next: each
// acquisition under contention moves the lock to another CPU, where a sync.Mutex lets
// the one that has it take it again. A Ticket does not put its waiters to sleep until
// they are woken: they spin, then yield their P, then nap for 50 microseconds at a time.
// It stays correct with one P and thousands of goroutines, slowly.
//
// # Guarantees
//
// The zero Ticket is unlocked. A Ticket must not be copied after first use; go vet
// reports it. The n-th Unlock synchronizes before the return of the Lock or successful
// TryLock that takes the next ticket; a failed TryLock synchronizes nothing. Lock
// serves goroutines in the order in which they draw their tickets: nobody is bypassed,
// ever. TryLock draws a ticket only if that ticket is served at once, and changes
// nothing when it reports false. Any goroutine may unlock, not only the one that
// locked. Unlock of an unlocked Ticket ends the program with
// "fatal error: spin: unlock of unlocked Ticket"; two calls of Unlock that overlap, or
// one that overlaps an arrival, may go unnoticed. At most 1<<32-1 goroutines may hold
// or await one Ticket.
//
// Unlock is a release operation and not a full fence: what the caller reads afterwards
// may be read before others see the lock free.
//
// # State word
//
// Two words of 32 bits, and no access is wider than its word:
//
//	offset 0  next   the ticket for the next arrival
//	offset 4  owner  the ticket now served
//
// Both wrap. Their difference, modulo 1<<32, is the state:
//
//	next-owner  meaning                    Lock            TryLock        Unlock
//	0           free                       +1, holds       +1, true       fatal
//	1           held, nobody waits         +1, waits       false          owner+1: free
//	n > 1       held, n-1 wait             +1, waits       false          owner+1: the oldest waiter holds
//
// Invariants:
//
//	I1  Every ticket in [owner, next) belongs to exactly one goroutine, drawn by an
//	    atomic operation on next.
//	I2  The goroutine with ticket owner holds the lock; those with later ones wait.
//	I3  Only the holder's Unlock writes owner, and adds one. So it may load owner and
//	    store it as two steps, and a waiter that has seen its own ticket sees no other.
//
// TryLock reads owner, then draws the ticket of that number by compare-and-swap on
// next. The swap proves that nobody drew a ticket since, unless exactly a multiple of
// 1<<32 were drawn; so owner is read once more, and in that case the ticket, which is
// valid, is waited for. The explorer of the tests counts modulo 4 and finds the
// violation when the second look is left out.
//
// # Ordering
//
//	A  Unlock -> Lock, TryLock: owner word. Unlock stores it (release); the next holder
//	   loads its own ticket from it (acquire).
//
// next orders nothing; it has only to be atomic. On amd64 a plain store is a release
// and a plain load an acquire. On arm64 they are STLR and LDAR. The draw must come
// before the load of owner only to be of use: an owner word read too early can only be
// too old, and sends the caller to the slow path.
//
// Under the race detector the Go bodies run, and tell it edge A alone.
//
// # Waiting
//
// A waiter at distance d lets d rounds of the pause instruction pass between two looks
// at the owner word, a round being about 32 ns whatever the instruction costs on this
// CPU. Every loop in assembly ends after about a microsecond and returns to Go, where the
// goroutine can be preempted. When the runtime has other work for this P, or after
// eight microseconds in which nobody was served, the waiter yields between looks. After
// 256 looks in which nobody was served it naps between looks: then the operating system
// has probably taken the CPU from the one that all wait for, and may need this one.
//
// The instruction is PAUSE on amd64 and 386 and ISB on arm64. Others are used only on
// request, TURNSTILE_PAUSE=<name> in the environment, and only where the CPU and the
// kernel make them safe:
//
//	name     architecture  needs                               run by our tests
//	pause    amd64, 386    -                                   yes
//	tpause   amd64         WAITPKG                             no: its bytes are checked
//	mwaitx   amd64         MONITORX                            no: its bytes are checked
//	isb      arm64         -                                   yes
//	sb       arm64         FEAT_SB                             yes, in an emulator
//	wfe      arm64         Linux with the timer event stream   no: its bytes are checked
//	wfet     arm64         Linux, FEAT_WFxT                    no: its bytes are checked
//	generic  all           -                                   yes
//
// wfe may hold the CPU, and with it a stop of the world, for a period of the event
// stream, up to 100 microseconds.
//
// # References
//
// J. Mellor-Crummey and M. Scott 1991, Algorithms for Scalable Synchronization on
// Shared-Memory Multiprocessors: the lock and its proportional backoff. D. Reed and
// R. Kanodia 1979, Synchronization with Eventcounts and Sequencers: the two counters.
package spin
