// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package spin

import "github.com/klauspost/cpuid/v2"

// hasLSE is a matter of arm64.
const hasLSE = false

// instructions lists the ways to relax, the default first.
func instructions() []instruction {
	return []instruction{
		{name: "pause", tested: true, safe: true, relax: relaxPause, await: nativeAwait},
		{name: "tpause", safe: cpuid.CPU.Supports(cpuid.WAITPKG), relax: relaxTpause},
		{name: "mwaitx", safe: hasMonitorx(), relax: relaxMwaitx},
		generic(),
	}
}

// hasMonitorx reads CPUID 80000001 ECX bit 29; no library names it.
func hasMonitorx() bool {
	const leaf, bit = 0x80000001, 29
	top, _, _, _ := cpuidAt(0x80000000)
	if top < leaf {
		return false
	}
	_, _, ecx, _ := cpuidAt(leaf)
	return ecx>>bit&1 == 1
}

// cpuidAt executes CPUID with EAX = leaf, ECX = 0.
func cpuidAt(leaf uint32) (eax, ebx, ecx, edx uint32)

// relaxPause executes PAUSE n times.
func relaxPause(n uint32)

// relaxTpause executes TPAUSE n times, each until 128 ticks of the TSC have passed.
func relaxTpause(n uint32)

// relaxMwaitx executes MONITORX and MWAITX n times, each until 128 ticks have passed.
func relaxMwaitx(n uint32)
