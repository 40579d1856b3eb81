// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"time"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/race"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// Mutex is a mutual exclusion lock.
//
// The zero value is an unlocked Mutex. A Mutex must not be copied after first use. For
// n < m the n-th call of Unlock is synchronized before the m-th call of Lock returns; a
// TryLock that returns true counts as a Lock. A goroutine may be overtaken while it
// sleeps, but once it has been woken, has lost and has waited for a millisecond, the
// lock is handed to it by the next Unlock.
//
// # Differences from sync.Mutex
//
// See the package comment.
type Mutex struct {
	word mutexWord // high to low: sleepers, handoff, awake, locked
	sema uint32    // the runtime's semaphore on which sleepers wait; used by its address
}

// mutexPatience is how long a waiter lets others overtake it. A millisecond is a tenth
// of the scheduler's time slice: waits of that length are the scheduler's doing.
const mutexPatience = int64(time.Millisecond)

// mutexGrace is the mask of how rarely an Unlock that finds a woken waiter still not
// running gives its P away: once in 256 on average. The waiter sits behind this very
// goroutine, which could otherwise keep it there for a time slice of 10 ms.
//
// Note: always yielding halves the throughput of an empty section; never yielding
// leaves the 99.9th percentile of the wait where the standard Mutex has it, and once in
// 256 takes 0.7 of that over 36 loads of 1 to 256 goroutines on two CPUs, at equal
// throughput.
const mutexGrace = 255

// mutexRelax is the length of one round of spinning, in Procyield's rounds: about the
// time of a short section. CanSpin bounds the number of rounds.
const mutexRelax = 30

// Lock locks m, and waits until it can. Only Unlock wakes it.
func (m *Mutex) Lock() {
	if m.word.cas(0, mutexLocked) { // edge A
		if race.Enabled {
			race.Acquire(unsafe.Pointer(m))
		}
		return
	}
	m.lockSlow()
}

// TryLock locks m if it is free, and reports whether it did. A TryLock that returns
// false has changed nothing and orders nothing.
func (m *Mutex) TryLock() bool {
	for {
		s := m.word.load()
		next, free := s.try()
		if !free {
			return false
		}
		if m.word.cas(s, next) { // edge A
			if race.Enabled {
				race.Acquire(unsafe.Pointer(m))
			}
			return true
		}
	}
}

// Unlock unlocks m. Any goroutine may call it. If m is not locked, the program ends
// with "fatal error: sync: unlock of unlocked mutex".
func (m *Mutex) Unlock() {
	if race.Enabled {
		race.Release(unsafe.Pointer(m))
	}
	if s := m.word.drop(); s != 0 { // edge A
		m.unlockSlow(s)
	}
}

// A mutexWaiter is a goroutine in lockSlow.
type mutexWaiter struct {
	mutexArrival
	since int64 // when it first went to sleep; 0 before
	spun  int   // rounds of spinning since it arrived or was woken
}

func (m *Mutex) lockSlow() {
	var w mutexWaiter
	for {
		s := m.word.load()
		if s.spins() && rt.CanSpin(w.spun) {
			m.spin(&w, s)
			continue
		}
		next, took := s.arrive(w.mutexArrival)
		if !m.word.cas(s, next) { // edge A
			continue
		}
		if took || m.sleep(&w) {
			break
		}
	}
	if race.Enabled {
		race.Acquire(unsafe.Pointer(m))
	}
}

// spin waits for one round, awake if it can be: a sleeper that Unlock wakes meanwhile
// would find the lock taken by the spinner.
func (m *Mutex) spin(w *mutexWaiter, s mutexState) {
	if next, ok := s.claim(); ok && !w.awake {
		w.awake = m.word.cas(s, next)
	}
	rt.Procyield(mutexRelax)
	w.spun++
}

// sleep waits for a unit of the semaphore and reports whether the lock came with it.
// If not, the caller owns awake.
func (m *Mutex) sleep(w *mutexWaiter) (granted bool) {
	again := w.since != 0
	if !again {
		w.since = rt.Nanotime()
	}
	// One that lost after it was woken goes back to the head of the queue. Two frames,
	// this one and lockSlow, are left out of the profiles.
	rt.SemacquireMutex(&m.sema, again, 2) // edge B
	w.overdue = rt.Nanotime()-w.since > mutexPatience
	w.spun = 0
	for {
		s := m.word.load()
		if s&mutexHandoff == 0 {
			w.awake = true // I3: the unit came with awake
			return false
		}
		if m.word.cas(s, s.granted(w.overdue)) {
			return true
		}
	}
}

// unlockSlow does what Unlock owes after it has found s in the word.
func (m *Mutex) unlockSlow(s mutexState) {
	switch s.dropped() {
	case mutexMisuse:
		rt.Fatal("sync: unlock of unlocked mutex")
	case mutexGrant:
		// The new holder runs at once, on this P: everybody would wait until this
		// goroutine's time slice ends otherwise.
		rt.Semrelease(&m.sema, true, 1) // edge B
		return
	}
	for next, ok := s.wake(); ok; next, ok = s.wake() {
		if m.word.cas(s, next) {
			rt.Semrelease(&m.sema, false, 1) // edge B
			return
		}
		s = m.word.load()
	}
	if s&mutexAwake != 0 && rt.Cheaprand()&mutexGrace == 0 {
		rt.Yield() // to the one awake, if it is on this P
	}
}
