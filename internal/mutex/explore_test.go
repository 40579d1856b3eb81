// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"math/bits"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/explore"
)

// The model: what slow.go and queue.go do between the transitions of state.go, one
// atomic access a step. A plain store may stay in the store buffer. Things done under
// the lock of the queue are one step where they touch one word, and several, with the
// queue locked in between, where they touch two. The clock is a choice: each time it is
// read the turn may be over or not. Counts stop at 1, which is the limit for quiet ones.

// exMutant leaves one thing out.
type exMutant struct {
	noBarrier        bool // the first waiter does not pay
	noRecheck        bool // a waiter does not look at locked again in the queue
	ctlBeforeMode    bool // a release loads ctl first
	modeBeforeArrive bool // a waiter reads the mode before it raises FENCED
	offAtOnce        bool // 1 to 0 without a barrier
	cancelledIsBlind bool // a first waiter gives up after its barrier and does not look
	unfencedSlow     bool // the late release reads ctl again without a fence
	clearInTwo       bool // FENCED cleared from a stale value
	keepsWake        bool // picked for a wake, gives up, does not pass it on
	keepsWoken       bool // goes back into the queue still counted as awake
	settlesLate      bool // goes back, and gives WOKEN up only after its last look
	laxQueue         bool // enters the queue without FENCED
	keepsParked      bool // a vain entry into the queue leaves PARKED up
	wakesHeld        bool // wakes and leaves the word as it was
}

type exConfig struct {
	name    string
	rounds  []uint8
	cancels bool
	admin   string // n turn on, f turn off
	mode    uint8
	mutant  exMutant
}

type exMem struct {
	Locked, Ctl uint32
	Mode        uint8
	Queue       [3]uint8 // actor + 1, head first
	Told        [3]uint8 // actor: woken or granted, not yet running
	Bucket      uint8    // actor + 1 that holds the queue's lock between two steps
}

const (
	exTold  = 1
	exGrant = 2
)

type exPC uint8

const (
	exTry exPC = iota
	exRaise
	exMode
	exBarrier
	exEnqueue
	exRecheck
	exUndo
	exLate // mutant settlesLate
	exSleep
	exCompete
	exSettle
	exHold
	exSlow
	exGrants
	exPlain
	exExchange
	exStored
	exMode2
	exAdd
	exClear
	exFence
	exRead
	exLook
	exWake
	exQuit
	exResign
	exOff
	exDone
)

type exLocal struct {
	PC             exPC
	Rounds         uint8
	First          bool // raised FENCED
	Woken, Overdue bool // as in wait
	Was            bool // it was woken when it came
	Had            bool // the queue was not empty when it came
	Leaving        bool // gives up: done after the look
	Mode           uint8
	Ctl            uint32
	Pending        uint8
}

type exX = explore.X[exMem, exLocal]

func (l exLocal) at(pc exPC) exLocal { l.PC = pc; return l }

func (l exLocal) next() exLocal {
	if l.Rounds <= 1 {
		return exLocal{PC: exDone}
	}
	return exLocal{Rounds: l.Rounds - 1}
}

func (s *exMem) push(who int, front bool) {
	q := uint8(who + 1)
	if front {
		copy(s.Queue[1:], s.Queue[:2])
		s.Queue[0] = q
		return
	}
	for i := range s.Queue {
		if s.Queue[i] == 0 {
			s.Queue[i] = q
			return
		}
	}
}

// pull removes actor who, or the head if who is negative, and reports whether others
// are left.
func (s *exMem) pull(who int) (got int, more bool) {
	got = -1
	for i := range s.Queue {
		if s.Queue[i] != 0 && (who < 0 || int(s.Queue[i]) == who+1) {
			got = int(s.Queue[i]) - 1
			copy(s.Queue[i:], s.Queue[i+1:])
			s.Queue[2] = 0
			break
		}
	}
	return got, s.Queue[0] != 0
}

// capped keeps the state space finite: the count stops at 1 and turns begin at 0.
func capped(c ctl) uint32 {
	if c.count() > 1 {
		c = c&(ctlCount-1) | ctlCount
	}
	return uint32(c)
}

func exModel(c exConfig) explore.Model[exMem, exLocal] {
	m := explore.Model[exMem, exLocal]{
		Name: c.name, Shared: exMem{Mode: c.mode}, Buffer: 1,
		Apply: func(s *exMem, _ uint8, v uint32) { s.Locked = v },
		Done:  func(l exLocal) bool { return l.PC == exDone },
		Steps: func(x *exX) {
			switch {
			case x.Me >= len(c.rounds):
				c.switcher(x)
			case x.L.PC < exHold:
				c.lock(x)
			case x.L.PC < exLook:
				c.unlock(x)
			default:
				c.look(x)
			}
		},
		Invariant: c.check,
		AtEnd: func(s exMem, _ []exLocal) string {
			left := ctl(s.Ctl) & ctlFlags
			if s.Locked != 0 || left&^ctlFenced != 0 || s.Queue[0] != 0 || s.Bucket != 0 || s.Told != [3]uint8{} {
				return "a lock, a flag, a sleeper or a wake is left behind"
			}
			return ""
		},
	}
	for i, n := range c.rounds {
		m.Locals = append(m.Locals, exLocal{Rounds: n})
		m.Names = append(m.Names, string(rune('A'+i)))
	}
	if c.admin != "" {
		m.Locals = append(m.Locals, exLocal{})
		m.Names = append(m.Names, "mode")
	}
	return m
}

// check is I1 and, while nobody has the queue locked, I3.
func (c exConfig) check(s exMem, ls []exLocal) string {
	inside := 0
	for i, l := range ls {
		if l.PC == exHold || l.PC == exSettle || l.PC == exUndo || l.PC == exSlow || l.PC == exGrants || l.PC == exPlain || l.PC == exExchange || i < len(c.rounds) && s.Told[i] == exGrant {
			inside++
		}
	}
	if inside > 1 {
		return "two hold the lock or were given it"
	}
	w := ctl(s.Ctl)
	if s.Bucket == 0 && (w&ctlParked != 0) != (s.Queue[0] != 0) {
		return "PARKED differs from the queue"
	}
	if w&ctlHandoff != 0 && w&ctlParked == 0 {
		return "HANDOFF without PARKED"
	}
	if w&ctlFlags != 0 && w&ctlFenced == 0 {
		return "a flag without FENCED"
	}
	return ""
}

// lock is Lock and LockContext up to the critical section.
func (c exConfig) lock(x *exX) {
	s, l, mu := x.S, x.L, c.mutant
	w := ctl(s.Ctl)
	switch l.PC {
	case exTry:
		if s.Locked == 0 {
			s.Locked = 1
			x.Atomic("takes it", s, l.at(exHold))
			break
		}
		if mu.modeBeforeArrive {
			l.Mode = s.Mode
		}
		x.Atomic("finds it taken", s, l.at(exRaise))
	case exRaise:
		next, first := w.arrive()
		s.Ctl, l.First = uint32(next), l.First || first
		if first {
			x.Atomic("raises FENCED", s, l.at(exMode))
		} else {
			x.Step("finds FENCED", s, l.at(exEnqueue))
		}
	case exMode:
		mode := s.Mode
		if mu.modeBeforeArrive {
			mode = l.Mode
		}
		l.Mode = 0
		if mode == asym.Symmetric || mu.noBarrier {
			x.Step("loads mode, owes no barrier", s, l.at(exEnqueue))
			break
		}
		for i := range explore.MaxActors {
			if x.Buffered(i) {
				l.Pending |= 1 << i
			}
		}
		x.Step("loads mode, starts a barrier", s, l.at(exBarrier))
	case exBarrier:
		exReach(x, exEnqueue)
	case exEnqueue:
		c.enqueue(x)
	case exRecheck:
		if s.Locked == 1 || mu.noRecheck {
			s.push(x.Me, l.Woken)
			s.Bucket = 0
			l.Woken, l.Overdue, l.Had, l.Was = false, false, false, false
			if mu.settlesLate {
				x.Atomic("looks, sleeps", s, l.at(exLate))
			} else {
				x.Atomic("looks, sleeps", s, l.at(exSleep))
			}
		} else {
			s.Locked = 1
			x.Atomic("looks, takes it", s, l.at(exUndo))
		}
	case exUndo:
		if !mu.keepsParked {
			s.Ctl = uint32(w.took(l.Had, l.Was, 0))
		}
		s.Bucket, l = 0, exLocal{Rounds: l.Rounds}
		x.Atomic("leaves the queue", s, l.at(exHold))
	case exLate:
		s.Ctl &^= uint32(ctlWoken)
		x.Atomic("gives WOKEN up", s, l.at(exSleep))
	case exSleep:
		c.asleep(x)
	case exCompete:
		if s.Locked == 0 {
			s.Locked = 1
			x.Atomic("takes it, awake", s, l.at(exSettle))
		} else {
			x.Step("loses, goes back", s, l.at(exRaise))
			l.Overdue = true
			x.Step("loses, overdue", s, l.at(exRaise))
		}
		if c.cancels {
			x.May("cancelled while awake", x.S, x.L.at(exResign))
		}
	case exSettle:
		s.Ctl, l.Woken, l.First = uint32(w.settle(0)), false, false
		x.Atomic("settles", s, l.at(exHold))
	}
}

func (c exConfig) enqueue(x *exX) {
	s, l, mu := x.S, x.L, c.mutant
	if c.cancels && !l.Woken {
		x.May("cancelled before the queue", s, l.at(exQuit))
	}
	if s.Bucket != 0 {
		return
	}
	next, ok := ctl(s.Ctl).enqueue(l.Woken && !mu.keepsWoken && !mu.settlesLate, l.Overdue, 0)
	if mu.laxQueue && !ok {
		next, ok = ctl(s.Ctl)|ctlParked, true
	}
	if !ok {
		x.Step("FENCED is gone", s, l.at(exRaise))
		return
	}
	s.Ctl, s.Bucket, l.Had = uint32(next), uint8(x.Me+1), s.Queue[0] != 0
	l.Was = l.Woken
	x.Atomic("locks the queue, raises PARKED", s, l.at(exRecheck))
}

// asleep is from the end of enqueueing to running again.
func (c exConfig) asleep(x *exX) {
	s, l := x.S, x.L
	switch s.Told[x.Me] {
	case exGrant:
		s.Told[x.Me], l.First = 0, false
		x.Atomic("runs, has the lock", s, l.at(exHold))
	case exTold:
		s.Told[x.Me], l.Woken = 0, true
		x.Atomic("runs, competes", s, l.at(exCompete))
	default:
		if c.cancels && s.Bucket == 0 {
			_, more := s.pull(x.Me)
			s.Ctl = uint32(ctl(s.Ctl).dequeue(more))
			x.May("cancelled, leaves the queue", s, l.at(exQuit))
		}
	}
}

// exReach is a barrier that reaches the pending actors one by one, in any order.
func exReach(x *exX, then exPC) {
	l := x.L
	if l.Pending == 0 {
		x.Atomic("barrier ends", x.S, l.at(then))
		return
	}
	for set := x.L.Pending; set != 0; set &= set - 1 {
		i := bits.TrailingZeros8(set)
		l.Pending = x.L.Pending &^ (1 << i)
		x.Interrupt("barrier reaches "+string(rune('A'+i)), i, l)
	}
}

// unlock is Unlock: the fast path, the fenced one and the late one.
func (c exConfig) unlock(x *exX) {
	s, l, mu := x.S, x.L, c.mutant
	w := ctl(s.Ctl)
	switch l.PC {
	case exHold:
		l.First = false
		if w != 0 {
			x.Step("loads ctl, holds on", s, l.at(exSlow))
		} else if s.Mode == asym.Asymmetric {
			x.Step("loads ctl and mode: plain", s, l.at(exPlain))
		} else {
			x.Step("loads ctl and mode: fenced", s, l.at(exExchange))
		}
	case exPlain:
		x.Store("stores locked=0", 0, 0, l.at(exStored))
	case exExchange:
		s.Locked = 0
		x.Atomic("exchanges locked=0", s, l.at(exMode2))
	case exStored:
		if mu.ctlBeforeMode {
			l.Ctl = uint32(w)
			x.Step("loads ctl", s, l.at(exMode2))
		} else if s.Mode == asym.Asymmetric {
			x.Step("loads mode", s, l.at(exMode2))
		} else {
			x.Step("loads mode, late", s, l.at(exFence))
		}
	case exMode2:
		ctlSeen := uint32(w)
		late := ctlSeen != 0
		if mu.ctlBeforeMode {
			late = l.Ctl != 0 || s.Mode != asym.Asymmetric
		}
		l.Ctl = 0
		if late {
			x.Step("loads ctl, late", s, l.at(exFence))
		} else {
			x.Step("loads ctl, is done", s, l.next())
		}
	case exSlow:
		x.Step("stays", s, l.at(exGrants))
		x.Store("fenced: stores locked=0", 0, 0, l.at(exAdd))
	case exGrants:
		c.grant(x)
	case exAdd:
		c.add(x)
	case exClear:
		if s.Ctl == l.Ctl || mu.clearInTwo {
			s.Ctl = 0
		}
		l.Ctl = 0
		x.Atomic("clears FENCED unless something changed", s, l.next())
	case exFence:
		if mu.unfencedSlow {
			x.Step("no fence", s, l.at(exRead))
		} else {
			x.Atomic("fence", s, l.at(exRead))
		}
	case exRead:
		if w.mayWake() {
			x.Step("loads ctl, looks", s, l.at(exLook))
		} else {
			x.Step("loads ctl, nobody to wake", s, l.next())
		}
	}
}

// grant hands over if the clock says so: the choice made at exSlow.
func (c exConfig) grant(x *exX) {
	s, l := x.S, x.L
	w := ctl(s.Ctl)
	if s.Bucket != 0 {
		return
	}
	if w&ctlParked == 0 || !w.looksAtClock() {
		x.Store("fenced: nobody in the queue, stores locked=0", 0, 0, l.at(exAdd))
		return
	}
	who, more := s.pull(-1)
	s.Ctl, s.Told[who] = uint32(w.grant(more, 0)), exGrant
	x.Atomic("hands over to "+string(rune('A'+who)), s, l.next())
}

// add is the fence of a fenced release.
func (c exConfig) add(x *exX) {
	s, l := x.S, x.L
	s.Ctl = capped(ctl(s.Ctl) + ctlCount)
	w := ctl(s.Ctl)
	if w.mayWake() {
		x.Atomic("counts, looks", s, l.at(exLook))
	} else if _, ok := w.quiet(1); ok {
		l.Ctl = s.Ctl
		x.Atomic("counts, all quiet", s, l.at(exClear))
	} else {
		x.Atomic("counts", s, l.next())
	}
}

// look wakes one if the lock is free: by a release, or by one that gives up.
func (c exConfig) look(x *exX) {
	s, l, mu := x.S, x.L, c.mutant
	w := ctl(s.Ctl)
	done := l.next()
	switch l.PC {
	case exLook:
		if s.Locked != 0 {
			x.Step("not free, nobody is woken", s, done)
		} else if s.Bucket == 0 && !x.Buffered(x.Me) {
			s.Bucket = uint8(x.Me + 1)
			x.Atomic("locks the queue, free", s, l.at(exWake))
		}
	case exWake:
		s.Bucket = 0
		if !w.mayWake() {
			x.Atomic("nobody to wake", s, done)
			break
		}
		who, more := s.pull(-1)
		s.Ctl, s.Told[who] = uint32(w.wake(more)), exTold
		if mu.wakesHeld {
			s.Ctl = uint32(w)
		}
		x.Atomic("wakes "+string(rune('A'+who)), s, done)
	case exQuit:
		if mu.cancelledIsBlind && l.First {
			x.Step("gives up, does not look", s, done)
		} else {
			x.Atomic("gives up, looks", s, l.at(exLook))
		}
	case exResign:
		s.Ctl = uint32(w.resign())
		if mu.keepsWake {
			x.Atomic("resigns", s, done)
		} else {
			x.Atomic("resigns, looks", s, l.at(exLook))
		}
	}
}

// switcher turns the asymmetric mode on and off as c.admin says.
func (c exConfig) switcher(x *exX) {
	s, l := x.S, x.L
	after := exLocal{Rounds: l.Rounds + 1}
	if int(after.Rounds) == len(c.admin) {
		after = exLocal{PC: exDone}
	}
	switch {
	case l.PC == exBarrier:
		exReach(x, exOff)
	case l.PC == exOff:
		s.Mode = asym.Symmetric
		x.Atomic("mode 2 to 0", s, after)
	case c.admin[l.Rounds] == 'n':
		s.Mode = asym.Asymmetric
		x.Atomic("mode 0 to 1", s, after)
	case c.mutant.offAtOnce:
		s.Mode = asym.Symmetric
		x.Atomic("mode 1 to 0 at once", s, after)
	default:
		s.Mode = asym.Leaving
		for i := range explore.MaxActors {
			if x.Buffered(i) {
				l.Pending |= 1 << i
			}
		}
		x.Atomic("mode 1 to 2, starts a barrier", s, l.at(exBarrier))
	}
}
