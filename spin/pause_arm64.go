// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package spin

import (
	"runtime"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
)

// hasLSE is read by the assembly, which takes exclusive pairs without it.
var hasLSE = cpu.ARM64.HasATOMICS

// instructions lists the ways to relax, the default first. WFE ends by itself only
// where the kernel says that the timer sends events; WFET ends at its deadline. Linux
// alone tells of both.
func instructions() []instruction {
	linux := runtime.GOOS == "linux"
	return []instruction{
		{name: "isb", tested: true, safe: true, relax: relaxIsb, await: nativeAwait},
		{name: "sb", tested: true, safe: cpuid.CPU.Supports(cpuid.SB), relax: relaxSb},
		{name: "wfe", safe: linux && cpu.ARM64.HasEVTSTRM, relax: relaxIsb, await: awaitWfe},
		{name: "wfet", safe: linux && cpuid.CPU.Supports(cpuid.WFXT), relax: relaxWfet},
		generic(),
	}
}

// relaxIsb executes ISB n times.
func relaxIsb(n uint32)

// relaxSb executes SB n times.
func relaxSb(n uint32)

// relaxWfet executes WFET n times, each for about 120 ns or until an event.
func relaxWfet(n uint32)

// awaitWfe is await that sleeps, once, on the owner word's line: a store to the line, an
// event or the timer's event stream ends it. gap and polls are not used: who sleeps does
// not disturb the line, and a second sleep would hold the CPU for too long.
//
//go:noescape
func awaitWfe(owner *uint32, seen, gap, polls uint32) uint32
