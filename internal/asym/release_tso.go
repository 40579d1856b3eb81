// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && amd64 && gc && go1.26 && !go1.28 && !purego && !race

package asym

import (
	"sync/atomic"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/pad"
)

// Barriers reports whether this build may ever rely on Barrier.
const Barriers = true

// shared keeps the mode on a line that is written only when the mode changes.
var shared struct {
	_    pad.Line
	mode atomic.Uint32
	_    pad.Line
}

// Mode returns the process-wide mode: one load.
func Mode() uint32 { return shared.mode.Load() }

// Release frees w, which the caller holds and has checked with Held, and reports
// whether the caller must go its slow path: Fence, and act on what it returns.
//
// In the asymmetric mode it is three instructions in this order: store Locked, load the
// mode, load Ctl. The first load of the mode is only a hint that spares fenced releases
// a call: acting on it alone would lose a wake-up when the mode is left in between.
// TestReleaseOrder disassembles what the compiler made of this.
func Release(w *Words) bool {
	if shared.mode.Load() != Asymmetric {
		w.Locked.Store(0) // edge B: XCHG, a full fence
	} else {
		*(*uint32)(unsafe.Pointer(&w.Locked)) = 0 // edge A, and C when Barrier orders it before the next loads
		if shared.mode.Load() != Asymmetric {     // edge D: after the store, before Ctl
			return true
		}
	}
	return w.Ctl.Load() != 0
}
