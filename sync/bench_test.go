// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"sync"
	"testing"

	"github.com/turnstile-go/turnstile/internal/locktest"
)

// BenchmarkPair is the uncontended pair as a program has it: inlined.
func BenchmarkPair(b *testing.B) {
	b.Run("lock=std", func(b *testing.B) {
		var m sync.Mutex
		for b.Loop() {
			m.Lock()
			m.Unlock() //lint:ignore SA2001 the pair alone is measured
		}
	})
	b.Run("lock=turnstile", func(b *testing.B) {
		var m Mutex
		for b.Loop() {
			m.Lock()
			m.Unlock() //lint:ignore SA2001 the pair alone is measured
		}
	})
}

func BenchmarkMutex(b *testing.B) { locktest.Bench(b, locktest.StdMutex(), row()) }
