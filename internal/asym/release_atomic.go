// SPDX-License-Identifier: BSD-3-Clause

//go:build !(linux && amd64 && gc && go1.26 && !go1.28 && !purego && !race)

package asym

import "sync/atomic"

// Barriers reports whether this build may ever rely on Barrier.
const Barriers = false

// shared.mode stays Symmetric here. The controller and its tests are the same everywhere.
var shared struct{ mode atomic.Uint32 }

// Mode returns the process-wide mode, which is a constant here.
func Mode() uint32 { return fixedMode }

// Release frees w, which the caller holds and has checked with Held, and reports
// whether the caller must go its slow path: Fence, and act on what it returns.
//
// Go's atomics are sequentially consistent, so that the store is ordered before the
// load: an XCHG on amd64, on arm64 exactly STLR and LDAR, which cost no fence.
func Release(w *Words) bool {
	w.Locked.Store(0) // edges A and B
	return w.Ctl.Load() != 0
}
