// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/race"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// Mutex is a mutual exclusion lock. Its zero value is free, and it must not be copied
// after first use. The package comment has its guarantees.
type Mutex struct {
	// w.Locked is 0 or 1. w.Ctl, high to low:
	//
	//	[31:16] count    fenced releases since the turn began, modulo 2^16
	//	[15:4]  turn     when the turn began, in units of 512 ns, modulo 2^12
	//	[3]     handoff  the next release passes the lock to the first in the queue
	//	[2]     woken    one that was woken is on its way to the lock
	//	[1]     parked   the queue is not empty; changed only under its lock
	//	[0]     fenced   releases are fenced and look here
	w asym.Words
}

// Lock takes m, and waits until it can. Only Unlock wakes it.
func (m *Mutex) Lock() {
	if !race.Enabled && m.w.Locked.CompareAndSwap(0, 1) { // edge A
		return
	}
	m.lockSlow()
}

// TryLock takes m if it is free, and reports whether it did. If not it has changed
// nothing and orders nothing.
func (m *Mutex) TryLock() bool {
	if !m.take() {
		return false
	}
	if race.Enabled {
		race.Acquire(unsafe.Pointer(m))
	}
	return true
}

// Unlock frees m. Any goroutine may call it. If m is not held the program ends with
// "fatal error: sync: unlock of unlocked mutex".
//
// Note: one call that is not inlined and holds both short ways. Inlined into its callers
// the plain release alone takes the same 0.6 of the standard pair; behind another call
// the fenced one takes 1.15 of it instead of 1.0.
func (m *Mutex) Unlock() {
	switch c := m.load(); {
	case race.Enabled || !asym.Held(&m.w) || !c.calm():
		m.unlockSlow()
	case c == 0:
		if asym.Release(&m.w) { // edges A, B, C, D
			m.unlockLate()
		}
	default:
		m.drop()
		if c = m.add(); !c.calm() || c.count()%quietBlock == 0 {
			m.fenced(c)
		}
	}
}

// unlockSlow is Unlock with somebody waiting, or with misuse.
func (m *Mutex) unlockSlow() {
	if race.Enabled {
		race.Release(unsafe.Pointer(m))
	}
	if m.locked() == 0 {
		rt.Fatal("sync: unlock of unlocked mutex")
	}
	m.releaseSlow()
}
