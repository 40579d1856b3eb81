// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package spin

// hasLSE is a matter of arm64.
const hasLSE = false

// instructions lists the ways to relax, the default first.
func instructions() []instruction {
	return []instruction{
		{name: "pause", tested: true, safe: true, relax: relaxPause},
		generic(),
	}
}

// relaxPause executes PAUSE n times.
func relaxPause(n uint32)
