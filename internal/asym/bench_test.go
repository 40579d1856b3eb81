// SPDX-License-Identifier: BSD-3-Clause

package asym

import (
	"fmt"
	"sync"
	"testing"
)

// BenchmarkRelease is a lock pair made of a CAS and each release, beside the standard
// mutex.
func BenchmarkRelease(b *testing.B) {
	b.Run("lock=std", func(b *testing.B) {
		var m sync.Mutex
		for b.Loop() {
			m.Lock()
			m.Unlock() //lint:ignore SA2001 the pair is what is measured
		}
	})
	modes := []uint32{fixedMode}
	if Barriers {
		modes = []uint32{Asymmetric, Symmetric}
	}
	defer shared.mode.Store(Symmetric)
	for _, mode := range modes {
		b.Run(fmt.Sprintf("lock=inlined/mode=%d", mode), func(b *testing.B) {
			shared.mode.Store(mode)
			var w Words
			for b.Loop() {
				if !w.Locked.CompareAndSwap(0, 1) || unlockInlined(&w) {
					b.Fatal("contended")
				}
			}
		})
		b.Run(fmt.Sprintf("lock=assembly/mode=%d", mode), func(b *testing.B) {
			release := bodies["ReleaseAsm"]
			if release == nil {
				b.Skip("no assembly in this build")
			}
			shared.mode.Store(mode)
			var w Words
			for b.Loop() {
				if !w.Locked.CompareAndSwap(0, 1) || !Held(&w) || release(&w) {
					b.Fatal("contended")
				}
			}
		})
	}
}

// unlockInlined is as far from its caller as a lock's Unlock is.
//
//go:noinline
func unlockInlined(w *Words) bool { return !Held(w) || Release(w) }
