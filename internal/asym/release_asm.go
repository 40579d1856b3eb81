// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && amd64 && gc && go1.26 && !go1.28 && !purego && !race

package asym

// ReleaseAsm is Release in assembly.
//
// Note: a call that the compiler cannot inline costs more than assembly saves: a pair
// takes 7.2 to 7.4 ns with this release, 7.0 to 7.2 with the inlined one, 12.0 with
// sync.Mutex; fenced, 13.1 and 12.3 (BenchmarkRelease). So Release is what locks use, and
// this one stays to be compared with it.
//
//go:noescape
func ReleaseAsm(w *Words) bool
