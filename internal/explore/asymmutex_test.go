// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"os"
	"testing"

	"github.com/turnstile-go/turnstile/internal/race"
)

// The mutex with a plain-store release, as a model: what a release, a waiter
// about to sleep, a waiter that gives up, and the process-wide switch of modes
// may do to each other.
//
//	locked  0 or 1; taken by compare-and-swap, released by a plain store that
//	        may stay in the store buffer
//	ctl     [31:1] waiters counted   [0] FENCED: releases must look
//	mode    0 symmetric, every release fences; 1 asymmetric, a release that
//	        finds ctl zero does not; 2 leaving, on the way from 1 to 0
//
// The functions here decide; asymmutex_model_test.go says which of them are
// separate steps, asymmutex_switch_test.go how the mode changes.

const (
	amFenced = 1
	amWaiter = 2

	amSymmetric  = 0
	amAsymmetric = 1
	amLeaving    = 2
)

// amArrive counts a waiter and raises FENCED. The first one to raise it owes
// the barrier.
func amArrive(ctl uint32) (next uint32, first bool) {
	return (ctl | amFenced) + amWaiter, ctl&amFenced == 0
}

// amLeave uncounts a waiter; FENCED goes down with the last one, in the same
// change of the word, or stays up for a release to clear.
func amLeave(ctl uint32, sticky bool) uint32 {
	ctl -= amWaiter
	if ctl < amWaiter && !sticky {
		ctl = 0
	}
	return ctl
}

// amOwesBarrier is read after amArrive has taken effect.
func amOwesBarrier(first bool, mode uint8) bool { return first && mode != amSymmetric }

// amReleaseDone reports whether a release may end without a fence. The mode is
// loaded before ctl.
func amReleaseDone(mode uint8, ctl uint32) bool { return mode == amAsymmetric && ctl == 0 }

// amMaySleep is the last look, under the queue's lock.
func amMaySleep(locked, ctl uint32) bool { return locked == 1 && ctl&amFenced != 0 }

// amMayWake: a late wake must not disturb a lock that is taken again, whose
// holder will look itself.
func amMayWake(locked uint32, asleep uint8) bool { return locked == 0 && asleep != 0 }

// long asks for the big explorations (some ten seconds).
var long = os.Getenv("TURNSTILE_LONG") == "1"

func TestAsymMutex(t *testing.T) {
	no, one, all := make([]bool, 4), []bool{true, false, false, false}, []bool{true, true, true, true}
	cases := []amConfig{
		{name: "asymmetric throughout", rounds: []uint8{2, 2, 2}, cancels: all, start: amAsymmetric},
		{name: "symmetric throughout", rounds: []uint8{2, 2, 2}, cancels: all},
		{name: "turning on", rounds: []uint8{2, 1, 1}, cancels: no, admin: "n"},
		{name: "turning off", rounds: []uint8{1, 1, 1}, cancels: one, admin: "f", start: amAsymmetric},
		{name: "on and off, two workers", rounds: []uint8{2, 2}, cancels: all, admin: "nf"},
		{name: "off and on and off, two workers", rounds: []uint8{2, 1}, cancels: all, admin: "fnf", start: amAsymmetric},
		{name: "barriers fail", rounds: []uint8{1, 1, 1}, cancels: no, admin: "f", start: amAsymmetric, fails: true},
		{name: "barriers fail on two locks", rounds: []uint8{1, 1}, cancels: no, admin: "fnf", start: amAsymmetric, fails: true, other: true},
		{name: "handoff", rounds: []uint8{1, 1, 1}, cancels: all, start: amAsymmetric, handoff: true},
		{name: "only the obliged look", rounds: []uint8{2, 2, 1}, cancels: all, start: amAsymmetric, sparing: true},
		{name: "FENCED stays up for a while", rounds: []uint8{2, 1, 1}, cancels: all, start: amAsymmetric, sticky: true},
		{name: "one wake at a time", rounds: []uint8{2, 2, 1}, cancels: all, start: amAsymmetric, oneWake: true},
		{name: "last look without FENCED", rounds: []uint8{2, 2, 1}, cancels: all, start: amAsymmetric, sticky: true, lax: true},
	}
	if long {
		cases = append(cases,
			amConfig{name: "two rounds, on and off, cancelled", rounds: []uint8{2, 2, 2}, cancels: all, admin: "nf"},
			amConfig{name: "on and off, cancelled", rounds: []uint8{2, 1, 1}, cancels: all, admin: "nf"},
			amConfig{name: "off and on, cancelled", rounds: []uint8{1, 1, 1}, cancels: all, admin: "fn", start: amAsymmetric},
			amConfig{name: "barriers fail, on again, off again", rounds: []uint8{2, 2}, cancels: all, admin: "fnf", start: amAsymmetric, fails: true},
			amConfig{name: "handoff, on and off", rounds: []uint8{2, 1, 1}, cancels: all, admin: "nf", handoff: true},
			amConfig{name: "everything, one round", rounds: []uint8{1, 1, 1}, cancels: all, admin: "nfnf", handoff: true, fails: true},
			amConfig{name: "four workers, handoff", rounds: []uint8{2, 1, 1, 1}, cancels: all, start: amAsymmetric, handoff: true},
			amConfig{name: "everything, two rounds", rounds: []uint8{2, 2, 2}, cancels: all, admin: "nfnf", handoff: true, fails: true},
			amConfig{name: "sticky, one wake, handoff, on and off", rounds: []uint8{2, 2, 2}, cancels: all, admin: "nf", sticky: true, oneWake: true, handoff: true},
			amConfig{name: "four workers", rounds: []uint8{1, 1, 1, 1}, cancels: []bool{true, true, false, false}, start: amAsymmetric},
		)
	}
	for _, c := range cases {
		if race.Enabled && len(c.rounds) > 2 {
			continue // one goroutine, nothing to detect, twenty times slower
		}
		Holds(t, amModel(c))
	}
}

// TestAsymMutexMutants leaves out one thing at a time and wants the loss.
func TestAsymMutexMutants(t *testing.T) {
	two, three := []uint8{1, 1}, []uint8{1, 1, 1}
	no, all := make([]bool, 4), []bool{true, true, true, true}
	const on, off = uint8(amAsymmetric), uint8(amSymmetric)
	for _, c := range []amConfig{
		{name: "no barrier", rounds: two, cancels: no, start: on, mutant: amMutant{noBarrier: true}},
		{name: "no re-check", rounds: two, cancels: no, start: off, mutant: amMutant{noRecheck: true}},
		{name: "ctl loaded before mode", rounds: two, cancels: no, start: off, admin: "n", mutant: amMutant{ctlBeforeMode: true}},
		{name: "mode read before counting", rounds: two, cancels: no, start: off, admin: "n", mutant: amMutant{modeBeforeArrive: true}},
		{name: "1 to 0 without a barrier", rounds: two, cancels: no, start: on, admin: "f", mutant: amMutant{offAtOnce: true}},
		{name: "cancelled first waiter does not look", rounds: three, cancels: all, start: on, mutant: amMutant{cancelledIsBlind: true}},
		{name: "unfenced slow release, symmetric", rounds: two, cancels: no, start: off, mutant: amMutant{unfencedSlow: true}},
		{name: "unfenced slow release, leaving", rounds: two, cancels: no, start: on, admin: "f", mutant: amMutant{unfencedSlow: true}},
		{name: "FENCED cleared in two steps", rounds: three, cancels: no, start: off, mutant: amMutant{clearInTwo: true}},
		{name: "no barrier while leaving", rounds: two, cancels: no, start: on, admin: "f", mutant: amMutant{leavingIsOff: true}},
		{name: "barrier cut short by cancellation", rounds: three, cancels: all, start: on, mutant: amMutant{cutBarrier: true}},
		{name: "picked waiter keeps the wake", rounds: three, cancels: all, start: off, mutant: amMutant{keepsWake: true}},
		{name: "failed barrier relies on another's leaving", rounds: two, cancels: no, start: on, admin: "f", fails: true, mutant: amMutant{failTrustsOther: true}},
		{name: "leaving finished by anybody", rounds: two, cancels: no, start: on, admin: "fnf", other: true, mutant: amMutant{anybodyFinishes: true}},
		{name: "FENCED cleared in two steps by a release", rounds: three, cancels: no, start: off, sticky: true, mutant: amMutant{clearInTwo: true}},
		{name: "sleeps again still marked as woken", rounds: three, cancels: no, start: off, oneWake: true, mutant: amMutant{keepsWoken: true}},
	} {
		Fails(t, amModel(c), Stuck, BadEnd)
	}
}
