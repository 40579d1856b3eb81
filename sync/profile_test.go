// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// The block profile shows who waited in Lock, and the mutex profile whose Unlock made
// others wait, both with Lock or Unlock and their caller.
func TestProfilesShowTheCaller(t *testing.T) {
	if rt.Hooks == "portable" {
		t.Skip("portable hooks: profiles show channel operations of internal/rt")
	}
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))

	var m Mutex
	m.Lock()
	done := make(chan struct{})
	go func() {
		waitsForLock(&m)
		close(done)
	}()
	for m.waiters() != 1 {
		runtime.Gosched()
	}
	makesWait(&m, 1)
	<-done

	for _, c := range []struct{ profile, top, caller string }{
		{"block", "sync.(*Mutex).Lock", "sync.waitsForLock"},
		{"mutex", "sync.(*Mutex).Unlock", "sync.makesWait"},
	} {
		var text bytes.Buffer
		if err := pprof.Lookup(c.profile).WriteTo(&text, 1); err != nil {
			t.Fatal(err)
		}
		if !hasFrames(text.String(), "turnstile/"+c.top, "turnstile/"+c.caller) {
			t.Errorf("no record of the %s profile has %s called by %s:\n%s", c.profile, c.top, c.caller, text.String())
		}
	}
}

// hasFrames reports whether a record of a profile in text form has these two functions
// one after the other.
func hasFrames(profile, top, caller string) bool {
	for record := range strings.SplitSeq(profile, " @ ") {
		var frames []string
		for line := range strings.Lines(record) {
			if f := strings.Fields(line); len(f) >= 3 && f[0] == "#" {
				frames = append(frames, f[2])
			}
		}
		for i := 1; i < len(frames); i++ {
			if strings.Contains(frames[i-1], top+"+") && strings.Contains(frames[i], caller+"+") {
				return true
			}
		}
	}
	return false
}

//go:noinline
func waitsForLock(m *Mutex) {
	m.Lock()
	defer m.Unlock()
}

// makesWait unlocks when the waiter is sure to sleep in the runtime: it counts as a
// waiter a moment before, and an early Unlock would find nobody to charge.
//
//go:noinline
func makesWait(m *Mutex, sleepers int) {
	for dumped("mutex.(*Mutex).lockSlow", "waitsForLock") != sleepers {
		runtime.Gosched()
	}
	m.Unlock()
}

// dumped counts goroutines that are asleep with all of these functions on their stacks.
func dumped(funcs ...string) int {
	buf := make([]byte, 1<<20)
	n := 0
	for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		ok := strings.Contains(g, "[sync.")
		for _, f := range funcs {
			ok = ok && strings.Contains(g, f)
		}
		if ok {
			n++
		}
	}
	return n
}
