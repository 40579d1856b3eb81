// SPDX-License-Identifier: BSD-3-Clause

package explore

import "math/bits"

// amMutant leaves one thing out.
type amMutant struct {
	noBarrier        bool // the first waiter does not pay
	leavingIsOff     bool // nor does it while the mode is 2
	noRecheck        bool // sleeps without the last look
	ctlBeforeMode    bool // a release loads ctl first
	modeBeforeArrive bool // a waiter reads the mode before it counts itself
	offAtOnce        bool // 1 to 0 without a barrier
	cancelledIsBlind bool // the first waiter gives up after its barrier and does not look
	cutBarrier       bool // gives up in the middle of the barrier
	keepsWake        bool // picked for a wake, gives up, does not look
	unfencedSlow     bool // the slow release reads ctl again without a fence
	clearInTwo       bool // FENCED cleared by a second step, from a stale value
	failTrustsOther  bool // a failed barrier is taken as done when the mode is 2
	anybodyFinishes  bool // 2 to 0 by one who did not move 1 to 2
	keepsWoken       bool // goes back to sleep still marked as the picked one
}

type amConfig struct {
	name    string
	rounds  []uint8 // of each worker
	cancels []bool  // its waits may be cancelled
	admin   string  // n turn on, f turn off; "" = no such actor
	start   uint8   // mode at the start
	other   bool    // a waiter of another lock, whose barrier fails
	handoff bool    // a wake may also take the lock for the one it wakes
	sparing bool    // of those who give up, only the obliged look at the lock
	sticky  bool    // FENCED stays up after the last waiter, some release clears it
	oneWake bool    // no second wake while a picked waiter has not settled
	lax     bool    // the last look does not check FENCED
	fails   bool    // a waiter's barrier may fail
	mutant  amMutant
}

type amMem struct {
	Locked, Ctl   uint32
	Mode          uint8
	Asleep, Token uint8 // sets of workers: in the queue; picked for a wake
	Woken         bool  // oneWake: somebody is picked and has not settled
	Granted       uint8 // set of workers: were given the lock, not yet running
}

type amPC uint8

const (
	amTry     amPC = iota // take it at once
	amCount               // about to count itself
	amMode                // about to read the mode
	amBarrier             // in the barrier
	amLook                // about to look under the queue's lock
	amSleep               // in the queue, or picked and not yet running
	amRetry               // awake and counted
	amGot                 // has the lock, still counted
	amHold                // in the section
	amRel1                // stored; first load of the release
	amRel2                // second load
	amFence               // slow release: fence
	amAgain               // reads ctl again
	amClear               // sticky: clears FENCED
	amWake                // wakes one, under the queue's lock
	amQuit                // cancelled, still counted
	amQuit2               // mutant: second step of clearing
	amFail                // the barrier has failed: turn off
	amStop                // stop the world
	amOff                 // 2 to 0
	amDone
)

type amLocal struct {
	PC      amPC
	Rounds  uint8
	First   bool  // raised FENCED
	Picked  bool  // woken, not settled
	Blind   bool  // must not look when it leaves
	Mine    bool  // moved the mode from 1 to 2
	Mode    uint8 // as loaded
	Ctl     uint8 // as loaded
	Pending uint8 // set of actors the barrier has not reached
}

type amX = X[amMem, amLocal]

func amModel(c amConfig) Model[amMem, amLocal] {
	m := Model[amMem, amLocal]{
		Name: c.name, Shared: amMem{Mode: c.start}, Buffer: 1,
		Apply: func(s *amMem, _ uint8, v uint32) { s.Locked = v },
		Done:  func(l amLocal) bool { return l.PC == amDone },
		Steps: func(x *amX) {
			switch {
			case x.Me < len(c.rounds):
				c.worker(x)
			case x.Me == len(c.rounds) && c.admin != "":
				c.switcher(x)
			default:
				c.elsewhere(x)
			}
		},
		Invariant: amExclusion,
		AtEnd: func(s amMem, _ []amLocal) string {
			if c.sticky {
				s.Ctl &^= amFenced
			}
			if s.Locked != 0 || s.Ctl != 0 || s.Woken || s.Asleep != 0 || s.Token != 0 || s.Granted != 0 {
				return "something is left behind: a lock, a flag, a sleeper or a wake"
			}
			return ""
		},
	}
	for i, n := range c.rounds {
		m.Locals = append(m.Locals, amLocal{Rounds: n})
		m.Names = append(m.Names, string(rune('A'+i)))
	}
	if c.admin != "" {
		m.Locals = append(m.Locals, amLocal{})
		m.Names = append(m.Names, "mode")
	}
	if c.other {
		m.Locals = append(m.Locals, amLocal{})
		m.Names = append(m.Names, "other lock")
	}
	return m
}

func amExclusion(s amMem, ls []amLocal) string {
	inside := bits.OnesCount8(s.Granted)
	for _, l := range ls {
		if l.PC == amGot || l.PC == amHold {
			inside++
		}
	}
	if inside > 1 {
		return "two hold the lock or were given it"
	}
	return ""
}

// next is the local state between two rounds.
func (l amLocal) next() amLocal {
	if l.Rounds == 1 {
		return amLocal{PC: amDone}
	}
	return amLocal{Rounds: l.Rounds - 1}
}

func (l amLocal) at(pc amPC) amLocal { l.PC = pc; return l }

func (c amConfig) worker(x *amX) {
	switch {
	case x.L.PC >= amFail:
		c.failed(x)
	case x.L.PC >= amRel1 && x.L.PC <= amWake:
		c.release(x)
	case x.L.PC >= amLook && x.L.PC <= amRetry || x.L.PC >= amQuit:
		c.wait(x)
	default:
		c.arrive(x)
	}
}

// arrive is the way to the queue, and the section.
func (c amConfig) arrive(x *amX) {
	s, l, mu := x.S, x.L, c.mutant
	switch l.PC {
	case amTry:
		if s.Locked == 0 {
			s.Locked = 1
			x.Atomic("take", s, l.at(amHold))
		} else if mu.modeBeforeArrive {
			l.Mode = s.Mode
			x.Atomic("finds it taken, loads mode", s, l.at(amCount))
		} else {
			x.Atomic("finds it taken", s, l.at(amCount))
		}
	case amCount:
		s.Ctl, l.First = amArrive(s.Ctl)
		x.Atomic("counts itself", s, l.at(amMode))
	case amMode:
		mode := s.Mode
		if mu.modeBeforeArrive {
			mode = l.Mode
		}
		l.Mode = 0
		owes := amOwesBarrier(l.First, mode) && !mu.noBarrier && (mode != amLeaving || !mu.leavingIsOff)
		if !owes {
			x.Step("loads mode, owes no barrier", s, l.at(amLook))
			break
		}
		l.Pending = others(x)
		x.Step("loads mode, starts a barrier", s, l.at(amBarrier))
		if c.fails {
			l.Pending = 0
			x.Step("loads mode, its barrier fails", s, l.at(amFail))
		}
	case amBarrier:
		barrier(x, amLook)
		if mu.cutBarrier && c.cancels[x.Me] {
			l.Pending = 0
			x.May("cancelled in the barrier", s, l.at(amQuit))
		}
	case amGot:
		s.Ctl = amLeave(s.Ctl, c.sticky)
		settle(&s, &l)
		if mu.clearInTwo && !c.sticky {
			s.Ctl = x.S.Ctl - amWaiter
			if s.Ctl < amWaiter {
				x.Atomic("uncounts itself, last", s, l.at(amQuit2))
				break
			}
		}
		x.Atomic("uncounts itself", s, l.at(amHold))
	case amHold:
		x.Store("stores locked=0", 0, 0, l.at(amRel1))
	}
}

// settle ends a wait: the wake, if there was one, is used up.
func settle(s *amMem, l *amLocal) {
	if l.Picked {
		s.Woken = false
	}
	l.First, l.Picked = false, false
}

// others is the set of actors that a barrier starting now has to reach: those
// with an empty buffer have passed a fence already.
func others(x *amX) (set uint8) {
	for i := range MaxActors {
		if x.Buffered(i) {
			set |= 1 << i
		}
	}
	return set
}

// barrier reaches the pending actors one by one, in any order.
func barrier(x *amX, then amPC) {
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

// wait is the queue, and the ways out of it.
func (c amConfig) wait(x *amX) {
	s, l, mu := x.S, x.L, c.mutant
	me := uint8(1) << x.Me
	quit := l.at(amQuit)
	quit.Blind = mu.cancelledIsBlind && l.First || c.sparing && !l.First
	switch l.PC {
	case amLook:
		if amMaySleep(s.Locked, s.Ctl) || mu.noRecheck || c.lax && s.Locked == 1 {
			s.Asleep |= me
			if l.Picked && !mu.keepsWoken {
				s.Woken = false
			}
			l.Picked = false
			x.Atomic("looks, sleeps", s, l.at(amSleep))
		} else {
			x.Atomic("looks, tries again", s, l.at(amRetry))
		}
		if c.cancels[x.Me] {
			x.May("cancelled before the look", x.S, quit)
		}
	case amSleep:
		if s.Granted&me != 0 { // wins over a cancellation
			s.Granted &^= me
			x.Atomic("runs, has the lock", s, l.at(amGot))
		} else if s.Token&me != 0 {
			s.Token &^= me
			l.Picked = c.oneWake
			x.Atomic("runs", s, l.at(amRetry))
			if c.cancels[x.Me] {
				quit.Picked = l.Picked
				quit.Blind = mu.keepsWake || mu.cancelledIsBlind && l.First
				x.May("runs, cancelled", s, quit)
			}
		} else if c.cancels[x.Me] {
			s.Asleep &^= me
			quit.Blind = c.sparing
			x.May("withdrawn from the queue", s, quit)
		}
	case amRetry:
		if s.Locked == 0 {
			s.Locked = 1
			x.Atomic("takes", s, l.at(amGot))
		} else {
			x.Atomic("finds it taken again", s, l.at(amLook))
		}
	case amQuit:
		s.Ctl = amLeave(s.Ctl, c.sticky)
		settle(&s, &l)
		if l.Blind {
			x.Atomic("uncounts itself, blind", s, l.next())
		} else {
			x.Atomic("uncounts itself", s, l.at(amWake))
		}
	case amQuit2:
		s.Ctl = 0
		x.Atomic("clears FENCED", s, l.at(amHold))
	}
}

// release is Unlock after its store, and the wake that others run for it.
func (c amConfig) release(x *amX) {
	s, l, mu := x.S, x.L, c.mutant
	switch l.PC {
	case amRel1:
		if mu.ctlBeforeMode {
			l.Ctl = uint8(s.Ctl)
			x.Step("loads ctl", s, l.at(amRel2))
		} else {
			l.Mode = s.Mode
			x.Step("loads mode", s, l.at(amRel2))
		}
	case amRel2:
		mode, ctl := l.Mode, s.Ctl
		if mu.ctlBeforeMode {
			mode, ctl = s.Mode, uint32(l.Ctl)
		}
		l.Mode, l.Ctl = 0, 0
		if amReleaseDone(mode, ctl) {
			x.Step("loads the other, is done", s, l.next())
		} else {
			x.Step("loads the other, goes slow", s, l.at(amFence))
		}
	case amFence:
		if mu.unfencedSlow {
			x.Step("no fence", s, l.at(amAgain))
		} else {
			x.Atomic("fence", s, l.at(amAgain))
		}
	case amAgain:
		if s.Ctl < amWaiter {
			x.Step("loads ctl, nobody waits", s, l.next())
			if c.sticky && s.Ctl == amFenced {
				x.Step("loads ctl, means to clear FENCED", s, l.at(amClear))
			}
		} else {
			x.Step("loads ctl, somebody waits", s, l.at(amWake))
		}
	case amClear:
		if s.Ctl == amFenced || mu.clearInTwo {
			s.Ctl = 0
		}
		x.Atomic("clears FENCED unless somebody came", s, l.next())
	case amWake:
		if !amMayWake(s.Locked, s.Asleep) || s.Woken {
			x.Atomic("nobody to wake or not free", s, l.next())
			break
		}
		for set := s.Asleep; set != 0; set &= set - 1 {
			one := set & -set
			w := s
			w.Asleep, w.Token, w.Woken = s.Asleep&^one, s.Token|one, c.oneWake
			x.Atomic("wakes "+string(rune('A'+bits.TrailingZeros8(one))), w, l.next())
			if c.handoff {
				w.Token, w.Granted, w.Locked, w.Woken = s.Token, s.Granted|one, 1, false
				x.Atomic("hands over to "+string(rune('A'+bits.TrailingZeros8(one))), w, l.next())
			}
		}
	}
}
