// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"testing"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/locktest"
)

func row() locktest.Lock {
	const unlocked = "fatal error: sync: unlock of unlocked mutex"
	return locktest.Lock{
		Name:    "turnstile",
		New:     func() Locker { return new(Mutex) },
		Waiters: func(l Locker) int { return l.(*Mutex).waiters() },
		TryLock: true,
		Context: true,
		Misuse: []locktest.Misuse{
			{Name: "Unlock", Do: func() { new(Mutex).Unlock() }, Want: unlocked},
			{Name: "Unlock twice", Do: func() {
				m := new(Mutex)
				m.Lock()
				unlock(m)
				unlock(m)
			}, Want: unlocked},
		},
	}
}

//go:noinline
func unlock(m *Mutex) { m.Unlock() }

// TestMutex runs the harness with plain-store releases, where this build has them, and
// with fenced ones.
func TestMutex(t *testing.T) {
	t.Run("mode=asymmetric", func(t *testing.T) {
		defer asym.ReplaceSystem(asym.System{})()
		if err := asym.Enable(); err != nil {
			t.Logf("runs symmetric: %v", err)
		}
		locktest.Test(t, row())
	})
	t.Run("mode=symmetric", func(t *testing.T) {
		defer asym.ReplaceSystem(asym.System{Getenv: func(string) string { return "off" }})()
		locktest.Test(t, row())
	})
}

func TestSize(t *testing.T) {
	if got := unsafe.Sizeof(Mutex{}); got != 8 {
		t.Errorf("a Mutex has %d bytes, want 8", got)
	}
	if got := unsafe.Offsetof(Mutex{}.mu); got != 0 {
		t.Errorf("the words are at offset %d, want 0", got)
	}
}
