// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package sync

import (
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/locktest"
)

// A TryLock that fails orders nothing: what its caller then does races with what the
// holder did before Lock. An atomic that the detector sees would hide that.
func TestFailedTryLockOrdersNothing(t *testing.T) {
	out, _ := locktest.Child(t, "try", func() {
		var m Mutex
		shared := 0
		go func() {
			shared = 1
			m.Lock()
		}()
		for m.TryLock() {
			m.Unlock()
		}
		shared = 2
		_ = shared
	})
	if !strings.Contains(out, "DATA RACE") {
		t.Errorf("no data race reported; output:\n%s", out)
	}
}
