// SPDX-License-Identifier: BSD-3-Clause

package asym

// process is the one controller that the mode of Release follows.
var process = controller{mode: &shared.mode}

// Contended says that somebody is about to wait. The first call of a process starts the
// goroutine that registers; calls after a pause bring the asymmetric mode back. It never
// waits, and otherwise costs one load.
func Contended() {
	if Barriers && process.phase.Load() <= phasePaused {
		process.attend()
	}
}

// Barrier returns after every thread that was running Go code has passed a full fence
// since the call, so that each release that loaded its Ctl before the caller's write to
// it is visible to the caller. It returns what it cost, in ns, charged for every CPU it
// disturbed, and charges the process's budget with it.
//
// Call it after the write that releases must see, when Mode is not Symmetric after that
// write. Not while pinned: it may go symmetric, which can stop the world.
func Barrier() (price int64) {
	if !Barriers {
		return 0
	}
	return process.barrier()
}

// Disable makes the process symmetric for good. When it has returned no release is
// unfenced, or the architecture needs no fence. It is nil in every case known so far.
func Disable() error {
	if !Barriers {
		return nil
	}
	return process.disable()
}

// Enable does in the caller, and waits for, what the first Contended starts in the
// background, and ends a pause: for benchmarks and tests, which want to know the mode
// they run in. It reports why the mode is not asymmetric afterwards.
func Enable() error {
	if !Barriers {
		if fixedMode == Asymmetric {
			return nil
		}
		return offError(fixedState)
	}
	return process.enable()
}

// Costs is the calibrated cost of one barrier in ns, without and with a second thread
// of this process running; both are 0 before the asymmetric mode was first entered.
func Costs() (idle, busy int64) { return process.idle.Load(), process.busy.Load() }

// Charged counts the barriers of the process and the ns charged for them.
func Charged() (barriers, ns int64) { return process.barriers.Load(), process.charged.Load() }

// State says in one line which mode is in use and why.
func State() string {
	if !Barriers {
		return fixedState
	}
	return process.state()
}

// ReplaceSystem starts the controller afresh on s, and restore starts it afresh on the
// real system. For tests of this module: no lock may be in use meanwhile except in ways
// that the test is about.
func ReplaceSystem(s System) (restore func()) {
	process.replace(s.orReal())
	return func() { process.replace(nil) }
}
