// SPDX-License-Identifier: BSD-3-Clause

package explore

// failed turns the asymmetric mode off for the whole process after a barrier
// that failed, and makes up for the barrier itself.
func (c amConfig) failed(x *amX) {
	s, l, mu := x.S, x.L, c.mutant
	switch l.PC {
	case amFail:
		if s.Mode == amAsymmetric {
			s.Mode, l.Mine = amLeaving, true
		} else if s.Mode == amLeaving && mu.failTrustsOther {
			x.Atomic("another is turning off, goes on", s, l.at(amLook))
			break
		}
		x.Atomic("mode 1 to 2, or not 1 any more", s, l.at(amStop))
	case amStop:
		if !x.Buffered(x.Me) {
			x.Barrier("stops the world", l.at(amOff))
		}
	case amOff:
		if s.Mode == amLeaving && (l.Mine || mu.anybodyFinishes) {
			s.Mode = amSymmetric
		}
		l.Mine = false
		x.Atomic("mode 2 to 0 if it was the one", s, l.at(amLook))
	}
}

// elsewhere is a waiter of another lock: of what it does, only the change of
// mode after a failed barrier is seen here.
func (c amConfig) elsewhere(x *amX) {
	switch {
	case x.L.PC >= amFail:
		c.failed(x)
	case x.L.PC == amLook, x.S.Mode == amSymmetric:
		x.Step("owes no barrier", x.S, amLocal{PC: amDone})
	default:
		x.Step("loads mode, its barrier fails", x.S, x.L.at(amFail))
	}
}

// switcher turns the mode on and off as c.admin says. Rounds counts the
// letters done.
func (c amConfig) switcher(x *amX) {
	s, l := x.S, x.L
	after := amLocal{Rounds: l.Rounds + 1}
	if int(after.Rounds) == len(c.admin) {
		after = amLocal{PC: amDone}
	}
	switch {
	case l.PC == amBarrier:
		barrier(x, amOff)
	case l.PC == amOff:
		s.Mode = amSymmetric
		x.Atomic("mode 2 to 0", s, after)
	case c.admin[l.Rounds] == 'n':
		if s.Mode == amSymmetric {
			s.Mode = amAsymmetric
		}
		x.Atomic("mode 0 to 1", s, after)
	case s.Mode != amAsymmetric:
		x.Atomic("off or leaving already", s, after)
	case c.mutant.offAtOnce:
		s.Mode = amSymmetric
		x.Atomic("mode 1 to 0 at once", s, after)
	default:
		s.Mode, l.Pending = amLeaving, others(x)
		x.Atomic("mode 1 to 2, starts a barrier", s, l.at(amBarrier))
	}
}
