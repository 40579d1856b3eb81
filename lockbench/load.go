// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"fmt"
	"strings"
	"time"

	"github.com/turnstile-go/turnstile/numa"
)

// Bounds of a Load. A section cannot be interrupted, so a longer one would keep
// a run from ending with its context.
const (
	maxGoroutines = 1 << 20
	maxWork       = time.Minute
)

// A Load is what the goroutines of a run do: take the lock, work for Hold,
// release it, work for Think, and again. The work is computation that touches
// no memory; the critical section besides advances one counter that all share.
type Load struct {
	Goroutines  int
	Hold, Think time.Duration
	Place       numa.Placement // the zero value is numa.Unpinned
}

// Key returns the load as it stands in benchmark names, such as
// "goroutines=4/hold=50ns/think=1us". It is ASCII without spaces and never ends
// in a hyphen and digits, which would be read as a GOMAXPROCS. The placement
// follows as "/place=compact" unless it is numa.Unpinned.
func (l Load) Key() string {
	key := fmt.Sprintf("goroutines=%d/hold=%s/think=%s", l.Goroutines, workKey(l.Hold), workKey(l.Think))
	if l.Place != numa.Unpinned {
		key += "/place=" + l.Place.String()
	}
	return key
}

// workKey writes a duration in ASCII and without a unit for 0.
func workKey(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	return strings.Replace(d.String(), "µ", "u", 1)
}

// check returns what is wrong with a load, if anything.
func (l Load) check() error {
	if l.Goroutines < 1 || l.Goroutines > maxGoroutines {
		return fmt.Errorf("lockbench: load has %d goroutines, want 1 to %d", l.Goroutines, maxGoroutines)
	}
	for _, work := range []struct {
		name string
		time.Duration
	}{{"hold", l.Hold}, {"think", l.Think}} {
		if work.Duration < 0 || work.Duration > maxWork {
			return fmt.Errorf("lockbench: load has a %s of %v, want 0 to %v", work.name, work.Duration, maxWork)
		}
	}
	return nil
}
