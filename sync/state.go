// SPDX-License-Identifier: BSD-3-Clause

package sync

// mutexState is one value of a Mutex's word; doc.go has the layout, the reachable
// combinations and the invariants I1 to I5.
type mutexState uint32

const (
	mutexLocked  mutexState = 1 << 0
	mutexAwake   mutexState = 1 << 1
	mutexHandoff mutexState = 1 << 2
	mutexSleeper mutexState = 1 << 3 // unit of the count in the bits from here up
)

// mutexAct is what Unlock does after it has dropped the lock.
type mutexAct uint8

const (
	mutexLook   mutexAct = iota // see whether a sleeper must be woken
	mutexGrant                  // give a unit of the semaphore: its receiver owns the lock
	mutexMisuse                 // the lock was not held
)

// mutexArrival is what a running goroutine brings to the word.
type mutexArrival struct {
	awake   bool // it owns mutexAwake
	overdue bool // it has waited longer than mutexPatience
}

// free reports whether a goroutine that runs may take the lock.
func (s mutexState) free() bool { return s&(mutexLocked|mutexHandoff) == 0 }

// try takes the lock if it is free.
func (s mutexState) try() (next mutexState, took bool) {
	return s | mutexLocked, s.free()
}

// arrive takes the lock if it is free and registers a sleeper if not. The owner of
// awake gives it up either way: holding the lock, its Unlock looks for sleepers;
// asleep, the holder's does (I4).
func (s mutexState) arrive(by mutexArrival) (next mutexState, took bool) {
	if by.awake {
		s &^= mutexAwake
	}
	if s.free() {
		return s | mutexLocked, true
	}
	// Only one that slept is overdue, and it owns awake: I2 holds, and locked is set.
	if by.overdue {
		s |= mutexHandoff
	}
	return s + mutexSleeper, false
}

// claim sets awake for a spinner, so that Unlock leaves the sleepers to it. Without
// sleepers there is nothing to prevent.
func (s mutexState) claim() (next mutexState, ok bool) {
	return s | mutexAwake, s.spins() && s&mutexAwake == 0 && s >= mutexSleeper
}

// spins reports whether the holder may let a spinner in.
func (s mutexState) spins() bool {
	return s&(mutexLocked|mutexHandoff) == mutexLocked
}

// dropped says what Unlock owes to a word that reads s after the subtraction of locked.
func (s mutexState) dropped() mutexAct {
	switch {
	case (s+mutexLocked)&mutexLocked == 0:
		return mutexMisuse
	case s&mutexHandoff != 0:
		return mutexGrant // the word stays: handoff keeps everybody else out (I1)
	}
	return mutexLook
}

// wake makes a sleeper the one awake, if it is up to Unlock: whoever holds the lock by
// now looks when it unlocks, and one that is awake already looks by itself.
func (s mutexState) wake() (next mutexState, ok bool) {
	return (s - mutexSleeper) | mutexAwake, s >= mutexSleeper && s&mutexAwake == 0 && s.free()
}

// granted is the word after a sleeper has found handoff standing: the lock is its own.
// It ends handoff when it is the last sleeper or was not kept waiting.
func (s mutexState) granted(overdue bool) mutexState {
	s = (s - mutexSleeper) | mutexLocked
	if !overdue || s < mutexSleeper {
		s &^= mutexHandoff
	}
	return s
}
