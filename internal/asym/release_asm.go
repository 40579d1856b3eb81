// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && amd64 && gc && go1.26 && !go1.28 && !purego && !race

package asym

// ReleaseAsm is Release in assembly.
//
// Note: a call that the compiler cannot inline costs 0.5 to 1 ns of a pair of 6 to 7, so
// Release is what locks use; this one stays for builds of a compiler that nobody has
// looked at, and BenchmarkRelease compares the two.
//
//go:noescape
func ReleaseAsm(w *Words) bool
