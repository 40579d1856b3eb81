// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"testing"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/parking"
)

// Waiters is the exact number of goroutines in m's queue at one instant.
func (m *Mutex) Waiters() int { return parking.Len(unsafe.Pointer(m)) }

// Idle reports whether nothing is left behind in m: a fenced word may stay.
func (m *Mutex) Idle() bool { return m.locked() == 0 && m.load().calm() && m.Waiters() == 0 }

// Fenced reports whether releases of m look at ctl.
func (m *Mutex) Fenced() bool { return m.load() != 0 }

// modes runs f in the asymmetric mode, where this build has it, and in the symmetric one.
func modes(t *testing.T, f func(t *testing.T)) {
	t.Run("mode=asymmetric", func(t *testing.T) {
		restore := asym.ReplaceSystem(asym.System{})
		defer restore()
		if err := asym.Enable(); err != nil {
			t.Logf("runs symmetric: %v", err)
		}
		f(t)
	})
	t.Run("mode=symmetric", func(t *testing.T) {
		restore := asym.ReplaceSystem(asym.System{Getenv: func(string) string { return "off" }})
		defer restore()
		f(t)
	})
}
