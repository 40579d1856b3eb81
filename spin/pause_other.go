// SPDX-License-Identifier: BSD-3-Clause

//go:build (!amd64 && !386 && !arm64) || purego

package spin

// hasLSE is a matter of assembly on arm64.
const hasLSE = false

// instructions lists the ways to relax: without assembly, one.
func instructions() []instruction { return []instruction{generic()} }
