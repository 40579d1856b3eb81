// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"strings"
	std "sync"
	"sync/atomic"
	"testing"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/locktest"
	"github.com/turnstile-go/turnstile/internal/race"
)

// TestTryLockLitmus is the first difference of the package comment. A publisher offers
// work, fails a TryLock and goes away; the holder looks for work after its Unlock. With a
// fenced Unlock one of the two sees the other; with a plain store both may look too early,
// and the work stays where it is.
func TestTryLockLitmus(t *testing.T) {
	rounds := 100_000
	if testing.Short() || race.Enabled {
		rounds = 2_000
	}
	t.Run("mode=symmetric", func(t *testing.T) {
		defer asym.ReplaceSystem(asym.System{Getenv: func(string) string { return "off" }})()
		if lost := litmus(rounds); lost != 0 {
			t.Errorf("%d of %d rounds lost the work though Unlock is fenced", lost, rounds)
		}
	})
	t.Run("mode=asymmetric", func(t *testing.T) {
		defer asym.ReplaceSystem(asym.System{})()
		if err := asym.Enable(); err != nil {
			t.Logf("runs symmetric: %v", err)
		}
		t.Logf("%d of %d rounds lost the work: a user must not rely on it", litmus(rounds), rounds)
	})
}

// litmus returns how many rounds ended with work that nobody saw.
func litmus(rounds int) (lost int) {
	var m Mutex
	var work, published, looked, start atomic.Uint32
	done := make(chan struct{})
	go func() { // the publisher
		defer close(done)
		for i := uint32(1); i <= uint32(rounds); i++ {
			await(&start, i)
			work.Store(1)
			if m.TryLock() {
				work.Store(0)
				m.Unlock()
			}
			published.Store(i)
		}
	}()
	for i := uint32(1); i <= uint32(rounds); i++ {
		m.Lock()
		start.Store(i)
		m.Unlock()
		if work.Load() == 1 && m.TryLock() {
			work.Store(0)
			m.Unlock()
		}
		looked.Store(i)
		await(&published, i)
		lost += int(work.Swap(0))
	}
	<-done
	return lost
}

func await(w *atomic.Uint32, v uint32) {
	for n := 0; w.Load() != v; n++ {
		if n%64 == 63 {
			runtime.Gosched()
		}
	}
}

const lockTwice = `package main

import "` + ourPath + `"

func main() {
	var m sync.Mutex
	m.Lock()
	m.Lock()
}
`

// The runtime notices when everybody waits for a lock of this package.
func TestDeadlockIsNoticed(t *testing.T) {
	needsGo(t)
	locktest.NeedsExec(t)
	if race.Enabled {
		t.Skip("with -race the runtime does not look for deadlocks, of the standard Mutex neither")
	}
	program := buildProgram(t, lockTwice, buildFlags()...)
	out, err := exec.Command(program).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "all goroutines are asleep - deadlock!") {
		t.Errorf("exit %v, output:\n%s", err, out)
	}
}

// A goroutine that waits for a lock nobody can reach is not in the goroutine-leak profile,
// where this Go has one: the queues of sleepers are reachable.
func TestLeakProfileDoesNotSee(t *testing.T) {
	leaks := pprof.Lookup("goroutineleak")
	if leaks == nil {
		t.Skip("this Go has no goroutine-leak profile")
	}
	func() {
		m := new(Mutex)
		m.Lock()
		go waitsForEver(m)
		for m.waiters() != 1 {
			runtime.Gosched()
		}
	}()
	var text bytes.Buffer
	if err := leaks.WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "waitsForEver") {
		t.Error("the profile reports the waiter now: say so in the package comment")
	}
}

//go:noinline
func waitsForEver(m *Mutex) {
	m.Lock()
	defer m.Unlock()
}

// The mutex profile charges the whole of a wait to the Unlock that ends it, while with the
// standard Mutex each Unlock is charged with the waits during its own section. So the
// share of one that holds for long is smaller here. The shares are logged; that both
// holders are charged, by name, is what is asked.
func TestMutexProfileShares(t *testing.T) {
	std := shares(t, "std", func() Locker { return new(std.Mutex) })
	ours := shares(t, "ours", func() Locker { return new(Mutex) })
	t.Logf("the long holder's share: standard %.2f, ours %.2f", std, ours)
	if ours == 0 {
		t.Error("the mutex profile does not charge the long holder at all")
	}
}

// shares returns the part of the delay that the mutex profile charges to holdsLong.
func shares(t *testing.T, name string, make func() Locker) float64 {
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	before := delays(t)
	m := make()
	var wg WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				holdsLong(m)
				holdsShort(m)
			}
		})
	}
	wg.Wait()
	after := delays(t)
	long, short := after[0]-before[0], after[1]-before[1]
	if long+short == 0 {
		t.Skipf("%s: nobody waited", name)
	}
	return long / (long + short)
}

// delays adds up what the mutex profile has for the two holders.
func delays(t *testing.T) (sum [2]float64) {
	var text bytes.Buffer
	if err := pprof.Lookup("mutex").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	var cycles float64
	for line := range strings.Lines(text.String()) {
		if strings.Contains(line, " @ ") {
			fmt.Sscanf(line, "%f", &cycles)
		}
		for i, f := range []string{"sync.holdsLong+", "sync.holdsShort+"} {
			if strings.Contains(line, f) {
				sum[i] += cycles
			}
		}
	}
	return sum
}

//go:noinline
func holdsLong(m Locker) {
	m.Lock()
	for range 100 {
		pause()
	}
	m.Unlock()
}

//go:noinline
func holdsShort(m Locker) {
	m.Lock()
	pause()
	m.Unlock()
}

//go:noinline
func pause() {
	for i := range 1000 {
		spent.Store(uint32(i))
	}
}

var spent atomic.Uint32
