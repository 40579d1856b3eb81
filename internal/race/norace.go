// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package race

import "unsafe"

// Enabled reports whether the race detector is part of this build.
const Enabled = false

// Acquire orders what follows after every Release of p that came before.
func Acquire(p unsafe.Pointer) {}

// Release orders what came before ahead of the next Acquire of p, and forgets
// earlier releases of p.
func Release(p unsafe.Pointer) {}

// ReleaseMerge is Release that keeps the earlier releases of p: for readers, whose
// writer must be ordered after all of them.
func ReleaseMerge(p unsafe.Pointer) {}

// Disable makes the detector ignore this goroutine's synchronisation until Enable.
func Disable() {}

// Enable ends Disable.
func Enable() {}
