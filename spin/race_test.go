// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package spin

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/turnstile-go/turnstile/internal/locktest"
	"github.com/turnstile-go/turnstile/internal/race"
)

// A failed TryLock synchronizes nothing, and the detector must not be told otherwise by
// the atomics inside: this child reads x after one, and has to be reported.
func TestFailedTryLockDoesNotSynchronize(t *testing.T) {
	out, ended := locktest.Child(t, "try", func() {
		var (
			l    Ticket
			x    int
			done = make(chan int)
		)
		go func() {
			drawn := uint32(0)
			for drawn != 2 {
				race.Disable()
				drawn = atomic.LoadUint32(&l.next)
				race.Enable()
				runtime.Gosched()
			}
			if l.TryLock() {
				panic("TryLock of a held lock")
			}
			done <- x
		}()
		l.Lock()
		x = 1
		l.Unlock()
		l.Lock()
		<-done
	})
	_ = ended // the detector lets the program go on and sets its exit status
	if !strings.Contains(out, "DATA RACE") {
		t.Errorf("the detector was silent; output:\n%s", out)
	}
}
