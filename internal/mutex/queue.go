// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/parking"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// profileSkip is how many of the callers of package parking are left out of the block and
// mutex profiles: the runtime throws when asked to skip more than six frames, four of
// which are its own and package parking's.
const profileSkip = 1

// The functions of this file but the last two run under the lock of the queue, or call
// package parking to run them so. PARKED, HANDOFF and a wake change there only.

// enqueue is the last look before a sleep: true means that a goes to sleep now.
func (m *Mutex) enqueue(a *arrival) (sleeps bool) {
	t := now()
	for {
		c := m.load()
		next, ok := c.enqueue(a.woken, a.overdue, t)
		if !ok {
			return false // FENCED is gone, and with it what raise has done
		}
		if !m.cas(c, next) {
			continue
		}
		woken := a.woken
		a.woken = false // given up before the look: a release that still sees it wakes nobody
		if !m.take() {
			return true // edge B: who releases it from here on sees PARKED
		}
		a.took = true
		m.leave(c&ctlParked != 0, woken, t)
		return false
	}
}

// leave takes back an entry into the queue by one that has got the lock instead.
func (m *Mutex) leave(more, woken bool, t coarse) {
	for {
		c := m.load()
		if next := c.took(more, woken, t); next == c || m.cas(c, next) {
			return
		}
	}
}

// grant hands the lock, which the caller holds, to the first in the queue, and lets it
// run here and now: it reports whether there was one.
func (m *Mutex) grant(t coarse) bool {
	return parking.UnparkOne(unsafe.Pointer(m), func(_ unsafe.Pointer, q parking.Queue) (parking.Verdict, parking.Token) {
		if q.Len == 0 {
			return parking.Stay, 0
		}
		for {
			c := m.load()
			if m.cas(c, c.grant(q.Len > 1, t)) {
				return parking.Handoff, tokenGranted // edge S
			}
		}
	}, profileSkip)
}

// look wakes the first in the queue if the lock is free and nobody is on the way to it.
// Anybody may call it at any time.
func (m *Mutex) look() {
	if m.locked() != 0 {
		return // whoever holds it will look
	}
	parking.UnparkOne(unsafe.Pointer(m), func(_ unsafe.Pointer, q parking.Queue) (parking.Verdict, parking.Token) {
		if q.Len == 0 || m.locked() != 0 {
			return parking.Stay, 0
		}
		for {
			c := m.load()
			if !c.mayWake() {
				return parking.Stay, 0
			}
			if m.cas(c, c.wake(q.Len > 1)) {
				return parking.Wake, tokenWoken // edge S
			}
		}
	}, profileSkip)
}

// releaseSlow frees the lock, which the caller holds, or hands it over if the turn of
// those that barge is over.
func (m *Mutex) releaseSlow() {
	c := m.load()
	yield := false
	if c.looksAtClock() {
		if t := now(); c&ctlHandoff != 0 || c.over(t, turns) {
			if c&ctlParked != 0 && m.grant(t) {
				return
			}
			// The one that was woken is not in the queue and, by the look of it, does
			// not run: it may be next on this P.
			m.cas(c, c.restart(t))
			yield = true
		}
	}
	m.drop()
	m.fenced(m.add())
	if yield {
		rt.Yield()
	}
}

// fenced is the end of a release that has counted itself, and found c.
func (m *Mutex) fenced(c ctl) {
	if c.mayWake() {
		m.look()
	} else if c.calm() && c.count()%quietBlock == 0 {
		m.quiet(c)
	}
}

// unlockLate is the rest of a release that has stored locked=0 and then found that it
// may not end there.
func (m *Mutex) unlockLate() {
	if c := m.fence(); c.mayWake() {
		m.look()
	}
}
