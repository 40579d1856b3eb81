// SPDX-License-Identifier: BSD-3-Clause

// Package hysteresis decides when a lock changes its mode.
//
// # What
//
// Every lock of this module has a cheap mode for the common case and a robust
// mode for the hard one. Being in the wrong one loses a little with each
// operation; changing costs something at once. [Account] adds up what the
// present mode has lost, and says that it is time to leave once that is as
// much as the round trip costs: leaving and coming back. [Costs] holds what a
// kind of lock pays, measured. [Policy] is what a user may ask for: that rule,
// or a fixed count of quiet operations.
//
// # When to choose it
//
// For any pair of modes whose losses can be counted in events: a fence that
// was not needed, a compare-and-swap that failed, a waiter that had to park.
// The cost of the mode one is not in cannot be measured while running, so an
// event stands for a loss that was calibrated in the background.
//
// An account is a plain value. It belongs to the lock's holder (or to whoever
// holds the lock's inner lock), lies wherever the lock has room and needs no
// atomic access of its own:
//
//	Account     32 bits, any policy: qticket, semarray, where a user may ask
//	            for a fixed count
//	Bits(n)     1 to 31 bits of a word the lock has anyway, adaptive only:
//	            Bits(8) or so for the 8-byte mutex, Bits(16) for the
//	            24-byte readers-writer lock
//
// # Guarantees
//
// Let E and L be what entering and leaving the robust mode cost, R = E+L, and
// let no event lose more than e.
//
//   - I1: an account lies between 0 and full, which stands for R whatever R
//     is now. Losses raise it, gains (what the other mode would have lost)
//     lower it, and it starts at 0 after each change of mode.
//   - I2: a mode is left only with a full account, so never before it has lost
//     R since it was entered, net of gains.
//   - I3: what is paid in all, losses and changes, is at most
//     (3 + 2e/R) OPT + R + e, where OPT is the cheapest schedule chosen with
//     hindsight. See the argument below. For two modes that may be changed
//     at will no rule does better than 3.
//   - I4: where entry is forced from outside, and the cheap mode loses nothing
//     of its own, only the leaving is a choice, and the whole is at most
//     (2 + e/R) OPT + R + e: ski rental.
//   - I5: estimates that are wrong by a factor between 1/f and f (of events, of
//     switching costs, of their rounding) weaken the bounds by f² at most:
//     the account runs the rule exactly, on costs which differ from the true
//     ones by at most f both in what is paid and in OPT.
//   - I6: an account of n bits rounded up counts an event of s units, s >= 1, as
//     at most s+1, so it leaves early and I3 becomes 3(1+1/s). An [Account]
//     has 2³¹-1 units: 1/s is under a millionth where 2000 events make a
//     round trip. With dither (random rounding) an event counts what it
//     should on average, whatever the width, and visits to a mode last R on
//     average and scatter by R/sqrt(full) at most (the variance of an event
//     is at most its mean, in units, and full units make a visit): 6 % of R
//     for eight bits, 12 % for six. Against the adversary eight bits then
//     cost 3.1 times the best where exact accounts cost 3.0 (measured).
//   - I7: a fixed count is exact: after n quiet operations since the last busy
//     one the account says leave, not earlier and not later, for n up to
//     [MaxFixed].
//   - I8: nothing wraps. A full account stays full until it is reset, so a lock
//     that cannot leave at once may ask again later.
//
// Why I3. Let w0 and w1 be what the best schedule so far costs if it ends in
// the cheap and in the robust mode. They never differ by more than a change:
// w0-w1 lies in [-E, L]. An event that loses x in the present mode adds x to
// that mode's w; one that gains adds x to the other's. So while the cheap mode
// is on, the account is w0-w1+E, and while the robust mode is on it is
// L-(w0-w1): the account follows the difference over its whole range, R, and
// the mode is left at the end of the range. Each loss x paid raises w0+w1 by
// x, except for the part of the last one that goes beyond the range, at most
// e a visit. So the losses are at most w0+w1, about 2 OPT. Between two changes
// the difference walks through R, which raises w0+w1 by R as well, and a change
// costs half of R on average: the changes together are at most half of w0+w1,
// about OPT. That is 3 OPT, and the ends add at most one round trip. The e/R
// terms are the price of being told of a loss only after it.
//
// Why I4. Between two forced entries the best schedule pays the losses x of
// that time or R, whichever is less. This rule pays x, if x is less than R;
// otherwise at most R+e, and then R for going and coming back.
//
// Why the round trip and not the entry: an adversary that charges whichever
// mode is on costs a rule with threshold T, per cycle, 2T+R, and the best
// schedule at most the lesser of T and R. That is 3 for T = R, more for
// everything else: 3+L/E for T = E (3.96 for a lock measured at L = 0.96 E),
// 5 for T = 2R.
//
// # State word
//
//	Account  [31] the account holds a count (a fixed policy put it there)
//	         [30:0] units of loss, full = R; or quiet operations
//	Bits(n)  [n-1:0] units of loss, full = R
//
// # Ordering
//
// [Costs] and [Setting] are read and written atomically and order nothing.
// Enter and leave are read as one pair. An account has no ordering; its
// protector provides it.
//
// # References
//
// Borodin, Linial and Saks 1992, An optimal on-line algorithm for metrical
// task systems (the bound 2n-1 for n states, here 3, and that it is optimal).
// Karlin, Manasse, Rudolph and Sleator 1988, Competitive snoopy caching (ski
// rental). Karlin, Manasse, McGeoch and Owicki 1990, Competitive randomized
// algorithms for non-uniform problems (spin or block, and what randomness
// could still gain).
package hysteresis
