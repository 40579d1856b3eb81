// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package lockbench

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// leaky is a lock that locks nothing, a race by design: the
// detector would report it, so this file is not part of its builds.
type leaky struct{}

func (leaky) Lock()   {}
func (leaky) Unlock() {}

// TestLockThatDoesNotExclude: sections of a millisecond nearly always overlap
// another goroutine's, with one CPU whenever a time slice ends in one.
func TestLockThatDoesNotExclude(t *testing.T) {
	load := Load{Goroutines: 3, Hold: time.Millisecond}
	if _, err := Run(context.Background(), leaky{}, load, 100*time.Millisecond); !errors.Is(err, ErrNotExclusive) {
		t.Errorf("error %v, want ErrNotExclusive", err)
	}
	if _, err := Run(context.Background(), new(sync.Mutex), load, 100*time.Millisecond); err != nil {
		t.Errorf("a lock that does exclude: %v", err)
	}
}
