// SPDX-License-Identifier: BSD-3-Clause

package asym

import (
	"runtime"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// realSystem is laid out by the linker: a program that never contends runs nothing of ours at
// its start.
var realSystem = System{
	Membarrier:   membarrier,
	StopTheWorld: stopTheWorld,
	Now:          rt.Nanotime,
	Getenv:       getenv,
	Procs:        procs,
	Go:           goOff,
	Calibrate:    calibrate,
}

func goOff(f func()) { go f() }

// procs is sampled once in a budget window: GOMAXPROCS takes a lock of the scheduler.
func procs() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// stopTheWorld asks for the stack dump of all goroutines, into no bytes: that stops the
// world and does nothing else. Every P that runs Go code stops through a change of its
// goroutine's status, which is a locked instruction; a thread in a system call has
// passed one when it entered, and passes one before it runs Go code again.
//
// Note: GOMAXPROCS(GOMAXPROCS(0)) returns early without stopping anything, or pins the
// automatic value; ReadMemStats stops the world too, but waits for a collection that is
// under way. TestStopTheWorldStops watches the runtime's own count of pauses.
func stopTheWorld() { runtime.Stack(nil, true) }
