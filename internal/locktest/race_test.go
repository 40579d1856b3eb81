// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package locktest

import (
	"strings"
	"sync"
	"testing"

	"github.com/turnstile-go/turnstile/internal/race"
)

// mutedLock excludes, and tells the race detector nothing.
type mutedLock struct{ mu sync.Mutex }

func (l *mutedLock) Lock() {
	race.Disable()
	l.mu.Lock()
	race.Enable()
}

func (l *mutedLock) Unlock() {
	race.Disable()
	l.mu.Unlock()
	race.Enable()
}

// The plain variables in sections make the detector report a lock without edges.
func TestMissingEdgeIsCaught(t *testing.T) {
	out, _ := Child(t, "muted", func() {
		rec := &recorder{T: t}
		muted := Lock{New: func() sync.Locker { return new(mutedLock) }}
		find(t, "exclusion").on(rec, muted, watchdog, true)
	})
	if !strings.Contains(out, "DATA RACE") {
		t.Errorf("no data race reported; output:\n%s", out)
	}
}
