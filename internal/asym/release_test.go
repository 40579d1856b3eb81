// SPDX-License-Identifier: BSD-3-Clause

package asym

import (
	"testing"
	"unsafe"
)

// bodies are all releases of this build; asmBodies adds to it.
var bodies = map[string]func(*Words) bool{"Release": Release}

func TestReleaseTable(t *testing.T) {
	if got := unsafe.Sizeof(Words{}); got != 8 {
		t.Errorf("Words has %d bytes, want 8", got)
	}
	modes := []uint32{Symmetric}
	if Barriers {
		modes = []uint32{Symmetric, Asymmetric, Leaving}
	}
	defer shared.mode.Store(Symmetric)
	for name, release := range bodies {
		for _, mode := range modes {
			shared.mode.Store(mode)
			for _, ctl := range []uint32{0, 1, 1 << 8, 1 << 31, ^uint32(0)} {
				var w Words
				if Held(&w) {
					t.Error("a free lock is held")
				}
				w.Locked.Store(1)
				w.Ctl.Store(ctl)
				if !Held(&w) {
					t.Error("a held lock is not held")
				}
				slow := release(&w)
				if slow != (ctl != 0) {
					t.Errorf("%s in mode %d with ctl %#x: slow path %v", name, mode, ctl, slow)
				}
				if w.Locked.Load() != 0 || Fence(&w) != ctl || w.Ctl.Load() != ctl {
					t.Errorf("%s in mode %d left %d, %#x", name, mode, w.Locked.Load(), w.Ctl.Load())
				}
			}
		}
	}
}

func TestStateOfThisBuild(t *testing.T) {
	if State() == "" {
		t.Error("no state")
	}
	if !Barriers && (State() != fixedState || Barrier() != 0 || Disable() != nil) {
		t.Errorf("state %q", State())
	}
}
