// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"sync/atomic"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/race"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// A Ticket is a FIFO spin lock of 8 bytes.
//
// The zero value is unlocked. A Ticket must not be copied after first use. An Unlock
// synchronizes before the return of the Lock or TryLock that takes the lock next.
// Waiters are served strictly in the order of their arrival.
//
// Its waiters spin: hold it for well under a microsecond, and see the package's text for
// when to choose another lock.
type Ticket struct {
	// Plain words under atomic functions: the methods of atomic.Uint32 cost the
	// inliner more, and Lock would be 85 against a budget of 80 instead of 78.
	next  uint32 // atomic: the ticket for the next arrival
	owner uint32 // atomic: the ticket now served; written by its holder only (I3)
}

// Lock takes the lock, after all those that came before have held it. The Unlock of
// the one before ends its wait.
func (t *Ticket) Lock() {
	if race.Enabled {
		t.lockRace()
		return
	}
	if my := atomic.AddUint32(&t.next, 1) - 1; atomic.LoadUint32(&t.owner) != my { // edge A
		lockSlow(t, my)
	}
}

// TryLock takes the lock if it is free, and reports whether it did. When it reports
// false nothing has changed.
func (t *Ticket) TryLock() bool {
	if race.Enabled {
		return t.tryRace()
	}
	return try(t, 0)
}

// Unlock gives the lock to the oldest waiter, or leaves it free. It is a fatal error if
// the lock is free already. The caller need not be the goroutine that locked.
func (t *Ticket) Unlock() {
	if race.Enabled {
		t.unlockRace()
		return
	}
	release(t)
}

// lockSlow waits until my, which was drawn from t, is served.
func lockSlow(t *Ticket, my uint32) { pace().wait(&t.owner, my) }

// tryWrapped ends a TryLock that drew ticket my from a counter that went once around
// while it looked: my is a ticket like any other, and cannot be given back.
func tryWrapped(t *Ticket, my uint32) bool {
	lockSlow(t, my)
	return true
}

// unlockFree ends the program: which section was broken into is not known any more.
func unlockFree() { rt.Fatal("spin: unlock of unlocked Ticket") }

// acquireGo is the Go twin of acquire.
func acquireGo(t *Ticket, _ uint32) {
	my := atomic.AddUint32(&t.next, 1) - 1
	if atomic.LoadUint32(&t.owner) != my { // edge A
		lockSlow(t, my)
	}
}

// tryGo is the Go twin of try.
func tryGo(t *Ticket, _ uint32) bool {
	my := atomic.LoadUint32(&t.owner) // edge A
	if !free(atomic.LoadUint32(&t.next), my) || !atomic.CompareAndSwapUint32(&t.next, my, succ(my)) {
		return false
	}
	if distance(my, atomic.LoadUint32(&t.owner)) != 0 {
		return tryWrapped(t, my) // the second look: without it two may hold the lock after 1<<32 draws
	}
	return true
}

// releaseGo is the Go twin of release.
func releaseGo(t *Ticket) {
	my := atomic.LoadUint32(&t.owner) // stable: only the holder writes it (I3)
	if free(atomic.LoadUint32(&t.next), my) {
		unlockFree()
	}
	atomic.StoreUint32(&t.owner, succ(my)) // edge A
}

// The detector ignores the lock's own words, and hears of edge A by the lock's address.

func (t *Ticket) lockRace() {
	race.Disable()
	my := atomic.AddUint32(&t.next, 1) - 1
	served := atomic.LoadUint32(&t.owner) == my
	race.Enable()
	if !served {
		p := pace() // in the detector's sight, so that it knows how the pacer came here
		race.Disable()
		p.wait(&t.owner, my)
		race.Enable()
	}
	race.Acquire(unsafe.Pointer(t))
}

func (t *Ticket) tryRace() bool {
	race.Disable()
	ok := tryGo(t, 0)
	race.Enable()
	if ok {
		race.Acquire(unsafe.Pointer(t))
	}
	return ok
}

func (t *Ticket) unlockRace() {
	race.Release(unsafe.Pointer(t)) // before the store: the next holder may run at once
	race.Disable()
	releaseGo(t)
	race.Enable()
}
