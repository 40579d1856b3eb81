// SPDX-License-Identifier: BSD-3-Clause

package hysteresis

// A Step is the loss of one event as a fraction of the round trip, in units
// of which a full account has full. See Costs.Step.
type Step uint32

// full stands for one round trip (I1).
const full = 1<<31 - 1

// An Account adds up what the present mode of a lock has lost. The zero value
// is that of a mode just entered. It is a plain value for the lock's holder to
// keep and change; nothing here is atomic.
type Account uint32

// counts marks an account that holds a count, so that a change of policy
// starts afresh and a count is never taken for a loss.
const counts Account = 1 << 31

// Lose adds an event of the present mode that cost s more than it would have
// in the other mode; under a fixed policy it counts a quiet operation. It
// returns the account and whether to leave the mode now. A lock that cannot
// leave now keeps the account, which stays full (I8); one that leaves starts
// the next mode with a zero account.
//
// For leaving the cheap mode pass Adaptive: a fixed policy is about the robust
// mode alone.
func (a Account) Lose(p Policy, s Step) (next Account, leave bool) {
	if p.fixed != 0 {
		return a.quiet(p)
	}
	if a&counts != 0 {
		a = 0
	}
	if s >= full-Step(a) {
		return full, true
	}
	return a + Account(s), false
}

// Gain subtracts an event that would have cost s more in the other mode; under
// a fixed policy a busy operation starts the count again. Only Fixed(0) leaves
// here.
func (a Account) Gain(p Policy, s Step) (next Account, leave bool) {
	switch {
	case p.fixed != 0:
		return counts, p.fixed == 1
	case a&counts != 0 || Step(a) <= s:
		return 0, false
	}
	return a - Account(s), false
}

// quiet counts one operation up to the policy's count (I7).
func (a Account) quiet(p Policy) (next Account, leave bool) {
	n, limit := Account(0), Account(p.fixed-1)
	if a&counts != 0 {
		n = a &^ counts
	}
	if n < limit {
		n++
	}
	return n | counts, n >= limit
}

// Full reports whether the account says leave under p, without an event.
func (a Account) Full(p Policy) bool {
	if p.fixed != 0 {
		return p.fixed == 1 || a&counts != 0 && a&^counts >= Account(p.fixed-1)
	}
	return a == full
}

// Bits is the width of a small adaptive account, 1 to 31 bits, that lies in a
// word the lock has anyway. Its methods take and return the account as a
// number below 1<<Bits; the lock does the shifting.
type Bits uint8

// Values of dither other than random ones.
const (
	RoundUp = ^uint32(0) // an event never counts less than it should (I6)
)

// Full is the value of a full account.
func (b Bits) Full() uint32 { return 1<<b - 1 }

// Lose is Account.Lose for a small account. The step is rounded to units of
// this width: up with RoundUp, or up or down by chance when dither is a random
// number, so that steps far below one unit count right on average (I6).
func (b Bits) Lose(a uint32, s Step, dither uint32) (next uint32, leave bool) {
	a += b.units(s, dither)
	if a >= b.Full() {
		return b.Full(), true
	}
	return a, false
}

// Gain is Account.Gain for a small account.
func (b Bits) Gain(a uint32, s Step, dither uint32) (next uint32) {
	if u := b.units(s, dither); u < a {
		return a - u
	}
	return 0
}

// units is s in units of this width: s>>shift, plus one with the chance of
// what is shifted out.
func (b Bits) units(s Step, dither uint32) uint32 {
	shift := 31 - b
	return (uint32(s) + dither&(1<<shift-1)) >> shift
}
