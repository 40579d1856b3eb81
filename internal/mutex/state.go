// SPDX-License-Identifier: BSD-3-Clause

package mutex

// ctl is one value of a Mutex's control word; doc.go has the layout, the reachable
// combinations and the invariants. All functions here are pure: what they decide is
// carried out by slow.go and queue.go, and explored by explore_test.go.
type ctl uint32

const (
	ctlFenced  ctl = 1 << 0
	ctlParked  ctl = 1 << 1
	ctlWoken   ctl = 1 << 2
	ctlHandoff ctl = 1 << 3

	ctlTurnShift     = 4
	ctlTurnBits      = 12
	ctlTurnMask  ctl = (1<<ctlTurnBits - 1) << ctlTurnShift

	ctlCountShift     = ctlTurnShift + ctlTurnBits
	ctlCount      ctl = 1 << ctlCountShift // unit of the count in the bits from here up

	ctlFlags = ctlFenced | ctlParked | ctlWoken | ctlHandoff
)

// coarse is time in units of 512 ns, modulo 2.1 ms.
type coarse uint32

const coarseShift = 9

func coarseOf(ns int64) coarse { return coarse(ns>>coarseShift) & (1<<ctlTurnBits - 1) }

func (c ctl) turn() coarse  { return coarse(c & ctlTurnMask >> ctlTurnShift) }
func (c ctl) count() uint32 { return uint32(c >> ctlCountShift) }

// elapsed is the length of the turn so far, in coarse units.
func (c ctl) elapsed(now coarse) uint32 {
	return uint32(now-c.turn()) & (1<<ctlTurnBits - 1)
}

// restart begins a turn.
func (c ctl) restart(now coarse) ctl { return c&ctlFlags | ctl(now)<<ctlTurnShift }

// over reports whether the one that barges has had its turn: whether one more section,
// of the average length of those so far, would end after the shortest turn, unless
// sections are so short that q.sections of them fit into the longest one.
//
// Note: without the look ahead, sections of 5 us cost a wake, a vain competition and a
// handoff for every two of them instead of one handoff each, and a tenth of the throughput.
func (c ctl) over(now coarse, q quantum) bool {
	e, n := c.elapsed(now), c.count()
	if e*(n+2) < q.shortest*(n+1) {
		return false
	}
	return n >= q.sections || n*q.longest < q.sections*e
}

// A quantum bounds a turn of barging.
type quantum struct {
	shortest uint32 // coarse units
	longest  uint32 // coarse units
	sections uint32
}

// arrive raises FENCED. Whoever finds it clear owes the barrier.
func (c ctl) arrive() (next ctl, first bool) {
	return c | ctlFenced, c&ctlFenced == 0
}

// enqueue puts a goroutine into the queue, if FENCED still stands.
func (c ctl) enqueue(woken, overdue bool, now coarse) (next ctl, ok bool) {
	if c&ctlFenced == 0 {
		return c, false
	}
	if c&(ctlParked|ctlWoken) == 0 {
		c = c.restart(now) // nobody has waited until now
	}
	if woken {
		c &^= ctlWoken
	}
	if overdue {
		c |= ctlHandoff
	}
	return c | ctlParked, true
}

// dequeue is the word after a waiter has left the queue.
func (c ctl) dequeue(more bool) ctl {
	if !more {
		c &^= ctlParked | ctlHandoff
	}
	return c
}

// mayWake reports whether a release that left the lock free has to wake somebody.
func (c ctl) mayWake() bool { return c&(ctlParked|ctlWoken) == ctlParked }

// wake takes the head out of the queue to compete for the lock.
func (c ctl) wake(more bool) ctl { return c.dequeue(more) | ctlWoken }

// grant takes the head out of the queue as the new holder: its turn begins.
func (c ctl) grant(more bool, now coarse) ctl {
	return (c.dequeue(more) &^ ctlHandoff).restart(now)
}

// settle ends the wake of a waiter that has got the lock: its turn begins.
func (c ctl) settle(now coarse) ctl { return (c &^ ctlWoken).restart(now) }

// resign ends the wake of a waiter that gives up.
func (c ctl) resign() ctl { return c &^ ctlWoken }

// looksAtClock reports whether a release has to see if the turn is over. The clock
// is read after 1, 2, 4, 8... releases and then after every 64th, so that its cost
// stays small beside any section and a turn lasts no more than twice as long as it
// should, or 64 sections more.
func (c ctl) looksAtClock() bool {
	if c&(ctlParked|ctlWoken) == 0 {
		return false
	}
	n := c.count()
	return c&ctlHandoff != 0 || c.mayWake() || n&(n-1) == 0 || n&63 == 0
}

// took is the word after one that had entered the queue found the lock free: it leaves
// the queue again. For one that was woken it was the end of its wait, so a turn begins.
func (c ctl) took(more, woken bool, now coarse) ctl {
	if woken {
		return c.grant(more, now)
	}
	return c.dequeue(more)
}

// calm reports whether nobody waits, as far as c says.
func (c ctl) calm() bool { return c&(ctlParked|ctlWoken|ctlHandoff) == 0 }

// quiet reports whether releases have been fenced in vain for long enough, and the word
// that ends it. Nobody may be waiting: one compare-and-swap of the whole word. FENCED
// itself may be down already, when a release counted itself just after it was cleared.
func (c ctl) quiet(limit uint32) (next ctl, ok bool) {
	return 0, c.calm() && c.count() >= limit
}
