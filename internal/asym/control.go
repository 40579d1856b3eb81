// SPDX-License-Identifier: BSD-3-Clause

package asym

import (
	"sync/atomic"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// The phases of the controller. Contended looks twice at the first two only.
//
//	phase    mode             left when
//	fresh    0                somebody waits: registering, or off by the environment
//	paused   0                the pause is over and somebody waits: on
//	busy     0                the registering goroutine ends: on or off
//	on       1, then 2 and 0  over budget: paused; EPERM for the first time: busy; else off
//	off      0                never
//
// I1: mode becomes 1 from 0 only, 2 from 1 only, and 0 from 2 only, by the holder of
// transit. I2: between 2 and 0 every thread that runs Go code passes a full fence.
// I3: mode is 1 only while phase is on.
const (
	phaseFresh = iota
	phasePaused
	phaseBusy
	phaseOn
	phaseOff
)

type controller struct {
	mode  *atomic.Uint32
	phase atomic.Uint32

	sys     atomic.Pointer[System] // nil = realSystem
	transit atomic.Uint32          // 1 = a change of mode or phase is under way

	epoch   atomic.Uint32 // counts ReplaceSystem; written under transit
	retried bool          // registered a second time after EPERM; guarded by transit
	reason  string        // why off; guarded by transit

	idle, busy atomic.Int64 // calibrated cost of a barrier, ns
	barriers   atomic.Int64
	charged    atomic.Int64 // ns
	budget     budget
}

func (c *controller) system() *System {
	if s := c.sys.Load(); s != nil {
		return s
	}
	return &realSystem
}

// enter and exit bracket a change. It is held for one barrier at most, or for one
// stop-the-world when barriers fail, and never by somebody whom a Lock waits for
// unless that Lock's own barrier failed.
func (c *controller) enter() {
	for !c.transit.CompareAndSwap(0, 1) {
		rt.Yield()
	}
}

func (c *controller) exit() { c.transit.Store(0) }

func (c *controller) tryEnter() bool { return c.transit.CompareAndSwap(0, 1) }

// attend is Contended where there may be something to do. It waits for nobody.
func (c *controller) attend() {
	s := c.system()
	switch c.phase.Load() {
	case phaseFresh:
		if c.phase.CompareAndSwap(phaseFresh, phaseBusy) {
			epoch := c.epoch.Load()
			s.Go(func() { c.register(s, epoch) })
		}
	case phasePaused:
		if s.Now() >= c.budget.resumeAt.Load() && c.tryEnter() {
			c.turnOn(c.epoch.Load(), phasePaused)
			c.exit()
		}
	}
}

// register runs in a goroutine of its own and trusts nothing but a question, a
// registration and one trial call.
func (c *controller) register(s *System, epoch uint32) {
	if s.Getenv("TURNSTILE_ASYM") == "off" {
		c.refuse(epoch, "TURNSTILE_ASYM=off")
		return
	}
	const need = cmdBarrier | cmdRegister
	mask, errno := s.Membarrier(cmdQuery)
	if errno == 0 && mask&need != need {
		errno = errnoAbsent
	}
	for _, cmd := range []int{cmdRegister, cmdBarrier} {
		if errno == 0 {
			_, errno = s.Membarrier(cmd)
		}
	}
	if errno != 0 {
		c.refuse(epoch, "membarrier: "+errnoText(errno))
		return
	}
	idle, busy := s.Calibrate(s, func() { s.Membarrier(cmdBarrier) })
	c.enter()
	defer c.exit()
	if c.turnOn(epoch, phaseBusy) {
		c.idle.Store(idle)
		c.busy.Store(busy)
	}
}

// refuse is how a registration ends badly.
func (c *controller) refuse(epoch uint32, reason string) {
	c.enter()
	defer c.exit()
	if c.epoch.Load() == epoch {
		c.giveUp(reason)
	}
}

// turnOn makes the process asymmetric if nothing has happened since phase was from.
// The caller holds transit.
func (c *controller) turnOn(epoch, from uint32) bool {
	if c.epoch.Load() != epoch || c.phase.Load() != from {
		return false // disabled, or replaced by a test, meanwhile
	}
	c.budget.open(c.system().Now())
	c.phase.Store(phaseOn)
	c.mode.Store(Asymmetric) // edge E: a release that sees it also sees the Ctl of parkers that saw 0
	return true
}

// leave makes the process symmetric and ends in phase to. The caller holds transit.
func (c *controller) leave(s *System, to uint32) {
	if c.mode.CompareAndSwap(Asymmetric, Leaving) {
		if _, errno := s.Membarrier(cmdBarrier); errno != 0 {
			s.StopTheWorld()
		}
		c.mode.Store(Symmetric) // edge F: only now may a parker do without its barrier
	}
	c.phase.Store(to)
}

// giveUp ends in the phase off. The caller holds transit.
func (c *controller) giveUp(reason string) {
	if c.phase.Load() == phaseOff {
		return // the first reason counts
	}
	c.reason = reason
	c.leave(c.system(), phaseOff)
}

// barrier is Barrier for a caller that is not known to be in the symmetric mode.
func (c *controller) barrier() (price int64) {
	// A caller that saw another mode after its own write, and sees this one now, has had
	// a whole Leaving since, fence included (I2).
	if c.mode.Load() == Symmetric {
		return 0
	}
	s := c.system()
	t := s.Now()
	_, errno := s.Membarrier(cmdBarrier) // edge C
	if errno != 0 {
		c.failed(s, errno)
	}
	now := s.Now()
	price, over := c.budget.charge(s, now, now-t, c.idle.Load(), c.busy.Load())
	c.barriers.Add(1)
	c.charged.Add(price)
	if over {
		c.pause(s)
	}
	return price
}

// pause goes symmetric for a while.
func (c *controller) pause(s *System) {
	c.enter()
	defer c.exit()
	if c.phase.Load() == phaseOn {
		c.budget.rest(s.Now())
		c.leave(s, phasePaused)
	}
}

// failed fences as Barrier has promised and goes symmetric: for good, or until a
// registration that may have been lost has been made again, in the background.
func (c *controller) failed(s *System, errno int) {
	if epoch, again := c.leaveFailed(s, errno); again {
		s.Go(func() { c.register(s, epoch) })
	}
}

func (c *controller) leaveFailed(s *System, errno int) (epoch uint32, again bool) {
	c.enter()
	defer c.exit()
	if c.phase.Load() != phaseOn {
		return 0, false // another caller was here first, and mode went through Leaving since our write (I2)
	}
	if errno != errnoPerm || c.retried {
		c.giveUp("membarrier failed in use: " + errnoText(errno))
		return 0, false
	}
	c.retried = true
	c.leave(s, phaseBusy)
	return c.epoch.Load(), true
}

// disable is Disable.
func (c *controller) disable() error {
	c.enter()
	defer c.exit()
	c.giveUp("by request")
	return nil
}

// enable is Enable.
func (c *controller) enable() error {
	s := c.system()
	if c.phase.CompareAndSwap(phaseFresh, phaseBusy) {
		c.register(s, c.epoch.Load())
	}
	for c.phase.Load() == phaseBusy {
		rt.Yield()
	}
	c.enter()
	c.turnOn(c.epoch.Load(), phasePaused)
	c.exit()
	if c.mode.Load() == Asymmetric {
		return nil
	}
	return offError(c.state())
}

type offError string

func (e offError) Error() string { return "asym: " + string(e) }

// replace is ReplaceSystem.
func (c *controller) replace(s *System) {
	c.enter()
	defer c.exit()
	c.leave(c.system(), phaseOff)
	c.sys.Store(s)
	c.epoch.Add(1)
	c.retried, c.reason = false, ""
	c.idle.Store(0)
	c.busy.Store(0)
	c.barriers.Store(0)
	c.charged.Store(0)
	c.budget.pause = 0
	c.phase.Store(phaseFresh)
}

// state is State.
func (c *controller) state() string {
	c.enter()
	defer c.exit()
	switch c.phase.Load() {
	case phaseFresh:
		return "not used: nobody has waited yet"
	case phaseBusy:
		return "not used: registering"
	case phaseOff:
		return "off: " + c.reason
	case phasePaused:
		return "paused: barriers were over budget; " + c.costs()
	}
	return "in use: " + c.costs()
}

// costs is the part of State that has numbers.
func (c *controller) costs() string {
	return "a barrier takes " + itoa(c.idle.Load()) + " ns idle, " + itoa(c.busy.Load()) + " ns busy; " +
		itoa(c.barriers.Load()) + " barriers, charged " + itoa(c.charged.Load()) + " ns"
}
