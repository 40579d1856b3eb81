// SPDX-License-Identifier: BSD-3-Clause

package hysteresis

import "sync/atomic"

// Costs holds what the modes of one kind of lock cost in this process:
// entering and leaving the robust mode, and what each kind of event loses. It
// is written by whoever calibrates, in the background, and read by the locks.
// It must not be copied after first use. All methods may be called at any time
// from any goroutine.
//
// Until the first Set or Observe every event counts as a thousandth of the
// round trip, which is what the locks here measure within a factor of ten.
type Costs struct {
	pair   atomic.Uint64 // [63:32] enter, [31:0] leave, ns + 1 each; 0 = not yet measured
	loss   [Events]atomic.Uint32
	step   [Events]atomic.Uint32 // loss over round trip, kept up by refresh; 0 = defaultStep
	enters atomic.Uint64
	leaves atomic.Uint64
}

// An Event is a kind of event, numbered by the lock from 0.
type Event uint8

// Events is how many kinds a lock may have.
const Events = 8

const (
	defaultStep = full/1000 + 1
	maxNs       = 1<<32 - 2 // 4.3 s; a switch that costs more is taken as this
)

// Set states both costs in nanoseconds.
func (c *Costs) Set(enterNs, leaveNs int64) {
	c.pair.Store(pack(enterNs, leaveNs))
	c.refresh()
}

// SetLoss states what an event loses, in picoseconds: a fence that was not
// needed is a few thousand. A loss is at most 4.2 ms.
func (c *Costs) SetLoss(e Event, ps int64) {
	c.loss[e].Store(uint32(min(max(ps, 0), 1<<32-1)))
	c.refresh()
}

// ObserveEnter takes in the time of one entry, measured by the lock itself.
func (c *Costs) ObserveEnter(ns int64) {
	c.observe(func(enter, leave int64) (int64, int64) { return blend(enter, ns), leave })
}

// ObserveLeave takes in the time of one leaving.
func (c *Costs) ObserveLeave(ns int64) {
	c.observe(func(enter, leave int64) (int64, int64) { return enter, blend(leave, ns) })
}

func (c *Costs) observe(f func(enter, leave int64) (int64, int64)) {
	for {
		old := c.pair.Load()
		if c.pair.CompareAndSwap(old, pack(f(unpack(old)))) {
			break
		}
	}
	c.refresh()
}

// blend moves an estimate an eighth of the way to a sample. A sample counts as
// eight times the estimate at most: on a host that is short of CPUs a single
// barrier can take any time, and must not freeze the mode for hours.
func blend(old, sample int64) int64 {
	sample = max(sample, 0)
	if old <= 0 {
		return sample
	}
	if sample > 8*old {
		sample = 8 * old
	}
	// Away from zero, so that small differences are not lost to rounding.
	d := sample - old
	if d > 0 {
		return old + (d+7)/8
	}
	return old + (d-7)/8
}

// refresh computes the steps again. Whoever stores a step looks afterwards
// whether it was computed from what is there now, so the last one leaves them
// right however many run at once.
func (c *Costs) refresh() {
	for i := range c.step {
		for !c.derive(i, c.pair.Load(), c.loss[i].Load()) {
		}
	}
}

// derive stores step i and reports whether it still is right.
func (c *Costs) derive(i int, pair uint64, lossPs uint32) bool {
	c.step[i].Store(uint32(ratio(lossPs, pair)))
	return c.pair.Load() == pair && c.loss[i].Load() == lossPs
}

// ratio is loss over round trip in units of an account, rounded up (I6), and
// not zero unless the loss is.
func ratio(lossPs uint32, pair uint64) Step {
	if pair == 0 {
		return defaultStep
	}
	enter, leave := unpack(pair)
	tripPs := uint64(enter+leave) * 1000
	if lossPs == 0 {
		return noStep
	}
	if uint64(lossPs) >= tripPs {
		return full
	}
	return Step((uint64(lossPs)*full + tripPs - 1) / tripPs)
}

// noStep is stored for a loss of nothing, since a stored 0 is that of a value
// not yet used.
const noStep = 1 << 31

// Step is what an event counts: its loss as a fraction of the round trip.
func (c *Costs) Step(e Event) Step {
	switch s := c.step[e].Load(); s {
	case 0:
		return defaultStep
	case noStep:
		return 0
	default:
		return Step(s)
	}
}

// Pair returns both costs in nanoseconds, of one moment; zeros when not yet
// measured.
func (c *Costs) Pair() (enterNs, leaveNs int64) { return unpack(c.pair.Load()) }

// Entered counts a change to the robust mode, for Stats.
func (c *Costs) Entered() { c.enters.Add(1) }

// Left counts a change back.
func (c *Costs) Left() { c.leaves.Add(1) }

func pack(enter, leave int64) uint64 {
	clip := func(ns int64) uint64 { return uint64(min(max(ns, 0), maxNs)) + 1 }
	return clip(enter)<<32 | clip(leave)
}

func unpack(pair uint64) (enter, leave int64) {
	if pair == 0 {
		return 0, 0
	}
	return int64(pair>>32) - 1, int64(pair&(1<<32-1)) - 1
}

// Stats is a snapshot of Costs.
type Stats struct {
	EnterNs, LeaveNs int64 // zeros when not yet measured
	Enters, Leaves   uint64
}

// Stats returns the costs and the number of changes counted so far.
func (c *Costs) Stats() Stats {
	var s Stats
	s.EnterNs, s.LeaveNs = c.Pair()
	s.Enters, s.Leaves = c.enters.Load(), c.leaves.Load()
	return s
}

// String is one line with both costs in nanoseconds.
func (s Stats) String() string {
	return "enter " + decimal(uint64(s.EnterNs)) + " ns, leave " + decimal(uint64(s.LeaveNs)) +
		" ns, " + decimal(s.Enters) + " entered, " + decimal(s.Leaves) + " left"
}
