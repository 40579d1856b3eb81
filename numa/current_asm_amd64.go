// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 && !purego

package numa

import (
	"time"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// readAux reads node<<12 | cpu in the given way. Linux puts it into TSC_AUX,
// which RDPID and RDTSCP read, where these exist, and into the limit of a
// segment always. 1<<32 - 1 is no answer. A way that the CPU does not have
// faults: ask candidates first.
func readAux(w way) uint32

// rdpid is readAux(wayRDPID) without the switch.
func rdpid() uint32

// cpuid runs CPUID and returns all but EBX.
func cpuid(leaf, sub uint32) (eax, ecx, edx uint32)

// candidates returns the ways that this CPU has, the cheapest first.
func candidates() []way {
	var ways []way
	if top, _, _ := cpuid(0, 0); top >= 7 {
		if _, ecx, _ := cpuid(7, 0); ecx>>22&1 != 0 {
			ways = append(ways, wayRDPID)
		}
	}
	ways = append(ways, wayLSL)
	if top, _, _ := cpuid(0x80000000, 0); top >= 0x80000001 {
		if _, _, edx := cpuid(0x80000001, 0); edx>>27&1 != 0 {
			ways = append(ways, wayRDTSCP)
		}
	}
	return ways
}

// cacheClock is a clock for the age of a cached answer.
func cacheClock() int64 { return rt.Nanotime() }

// ticks converts to ticks of cacheClock.
func ticks(d time.Duration) int64 { return int64(d) }
