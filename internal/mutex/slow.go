// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/parking"
	"github.com/turnstile-go/turnstile/internal/race"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// An arrival is a goroutine in the slow path of Lock.
type arrival struct {
	since   int64 // when it first entered the queue; 0 before
	woken   bool  // it owns WOKEN
	overdue bool  // it was woken and has lost, and the turn of those that barge is over
	took    bool  // it found the lock free when it looked for the last time
}

// What a waiter is told.
const (
	tokenWoken   parking.Token = iota // try again, and you own WOKEN
	tokenGranted                      // the lock is yours
)

func (m *Mutex) lockSlow() {
	if !m.spin() {
		asym.Contended()
		var a arrival
		for !m.sleep(&a) && !m.compete(&a) {
		}
	}
	if race.Enabled {
		race.Acquire(unsafe.Pointer(m))
	}
}

// sleep waits in the queue. It reports whether it comes back with the lock; if not it
// was woken, or has to begin again.
func (m *Mutex) sleep(a *arrival) (got bool) {
	m.raise()
	if a.since == 0 {
		a.since = rt.Nanotime()
	}
	token, slept := parking.Park(unsafe.Pointer(m), func(unsafe.Pointer) bool { return m.enqueue(a) },
		parking.Options{Front: a.woken, Since: a.since, Skip: profileSkip})
	return m.awake(a, token, slept)
}

// awake notes how a try to sleep has ended.
func (m *Mutex) awake(a *arrival, token parking.Token, slept bool) (got bool) {
	if !slept {
		return a.took
	}
	a.overdue = false
	a.woken = token == tokenWoken
	return token == tokenGranted // edge S
}

// raise makes releases look at ctl. When it returns, each release that does not look has
// stored locked=0 for all to see, or whoever raised FENCED first is still waiting
// for its barrier and will look at the lock afterwards (I4).
func (m *Mutex) raise() {
	for {
		c := m.load()
		next, first := c.arrive()
		if !first {
			return
		}
		if m.cas(c, next) { // edge C
			break
		}
	}
	if asym.Mode() != asym.Symmetric { // edge D: read after FENCED is raised
		asym.Barrier() // edge C
	}
}

// compete is for one that was woken, or could not sleep because FENCED was gone. It
// tries to take the lock until the turn of those that barge is over, or until its
// processor has something better to do.
func (m *Mutex) compete(a *arrival) (got bool) {
	if !a.woken {
		return m.take()
	}
	for pause := spinFirst; ; pause = min(2*pause, spinLast) {
		if m.take() {
			m.settle()
			return true
		}
		if m.load().over(now(), turns) {
			a.overdue = true
			return false
		}
		if !rt.CanSpin(0) {
			return false
		}
		relax(pause)
	}
}

// settle ends the wake of one that has got the lock.
func (m *Mutex) settle() {
	for {
		c := m.load()
		if m.cas(c, c.settle(now())) {
			return
		}
	}
}

// spin waits for a moment, in the hope that the section is short.
func (m *Mutex) spin() (got bool) {
	if race.Enabled && m.take() {
		return true
	}
	pause := spinFirst
	for i := 0; i < spinTries && rt.CanSpin(0); i++ {
		relax(pause)
		if m.take() {
			return true
		}
		pause = min(2*pause, spinLast)
	}
	return m.take()
}
