// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package numa

// TopologyLeaves reports whether CPUID says how CPUs hang together; some
// hypervisors answer zeros.
func TopologyLeaves() bool {
	top, _, _ := cpuid(0, 0)
	if top < 0xb {
		return false
	}
	eax, ecx, _ := cpuid(0xb, 0)
	return eax != 0 || ecx>>8 != 0
}
