// SPDX-License-Identifier: BSD-3-Clause

package rt

import (
	"go/build/constraint"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/race"
)

// asleep counts the goroutines that a dump shows parked inside SemacquireMutex.
func asleep() int {
	buf := make([]byte, 1<<20)
	n := 0
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		head, _, _ := strings.Cut(g, "\n")
		parked := strings.Contains(head, "[sync.") || strings.Contains(head, "[semacquire")
		if parked && strings.Contains(g, "rt.sleepOnce") {
			n++
		}
	}
	return n
}

func waitAsleep(n int) {
	for asleep() != n {
		runtime.Gosched()
	}
}

//go:noinline
func sleepOnce(s *uint32, lifo bool) { SemacquireMutex(s, lifo, 0) }

func TestWakingOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		lifo [3]bool
		want string
	}{
		{"fifo", [3]bool{false, false, false}, "abc"},
		{"last in first", [3]bool{false, false, true}, "cab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s uint32
			got := make(chan string)
			for i, lifo := range c.lifo {
				go func() {
					sleepOnce(&s, lifo)
					got <- string(rune('a' + i))
				}()
				waitAsleep(i + 1)
			}
			order := ""
			for i := range c.lifo {
				Semrelease(&s, i%2 == 1, 0)
				order += <-got
			}
			if order != c.want {
				t.Errorf("woken in order %s, want %s", order, c.want)
			}
		})
	}
}

// Every unit given is taken once: a lost one hangs the test, a doubled one breaks the
// exclusion of the counter.
func TestSemaphoreExcludes(t *testing.T) {
	const workers, rounds = 8, 2000
	s, inside := uint32(1), 0
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				SemacquireMutex(&s, i%7 == 0, 0)
				race.Acquire(unsafe.Pointer(&s)) // the detector does not see the runtime's semaphores
				inside++
				race.Release(unsafe.Pointer(&s))
				Semrelease(&s, (i+w)%3 == 0, 0)
			}
		})
	}
	wg.Wait()
	if inside != workers*rounds {
		t.Errorf("counted %d sections, want %d", inside, workers*rounds)
	}
	if atomic.LoadUint32(&s) != 1 {
		t.Errorf("the semaphore ends at %d, want 1", s)
	}
}

func TestSemacquireTakesUnit(t *testing.T) {
	s := uint32(2)
	Semacquire(&s)
	if got := atomic.LoadUint32(&s); got != 1 {
		t.Errorf("after one acquire of 2 units %d are left, want 1", got)
	}
}

// A holder outside a bubble and a waiter inside: the wait must not look like one that
// only the bubble can end, or the bubble's clock runs on, or the program ends.
func TestWaitInsideBubble(t *testing.T) {
	var s uint32
	synctest.Test(t, func(t *testing.T) {
		before := time.Now()
		entered := make(chan struct{})
		go func() { close(entered); sleepOnce(&s, false) }()
		<-entered
		release <- &s
		synctest.Wait()
		if passed := time.Since(before); passed != 0 {
			t.Errorf("the bubble's clock ran on by %v", passed)
		}
	})
}

// release gives units from outside of any bubble.
var release = func() chan<- *uint32 {
	c := make(chan *uint32)
	go func() {
		for s := range c {
			waitAsleep(1)
			Semrelease(s, false, 0)
		}
	}()
	return c
}()

func TestSmallHooks(t *testing.T) {
	if p := Pin(); p < 0 || p >= runtime.GOMAXPROCS(0) {
		Unpin()
		t.Errorf("Pin() = %d, want a P below %d", p, runtime.GOMAXPROCS(0))
	} else {
		Unpin()
	}
	a := Nanotime()
	Procyield(30)
	Yield()
	if b := Nanotime(); b < a {
		t.Errorf("the clock went back from %d to %d", a, b)
	}
	if CanSpin(1 << 20) {
		t.Error("CanSpin allows a million rounds")
	}
	seen := map[uint32]bool{}
	for range 64 {
		seen[Cheaprand()] = true
	}
	// 64 draws from 2^32 collide with probability 2^-21; four collisions do not happen.
	if len(seen) < 60 {
		t.Errorf("64 random numbers hold %d different ones", len(seen))
	}
	if !strings.HasPrefix(Note(), Hooks) {
		t.Errorf("Note() = %q does not begin with Hooks = %q", Note(), Hooks)
	}
}

// A release that nobody tested must build the portable file, and exactly that.
func TestEveryReleaseBuildsOneFile(t *testing.T) {
	for _, c := range []struct {
		name string
		tags string
		want string
	}{
		{"go1.26", "gc go1.25 go1.26", "runtime.go runtime.s"},
		{"go1.27", "gc go1.25 go1.26 go1.27", "runtime.go runtime.s"},
		{"go1.28", "gc go1.26 go1.27 go1.28", "nopurego.go portable.go"},
		{"go1.25", "gc go1.25", "nopurego.go portable.go"},
		{"purego", "gc go1.26 purego", "portable.go purego.go"},
		{"other compiler", "tinygo go1.26", "nopurego.go portable.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tags := map[string]bool{}
			for _, tag := range strings.Fields(c.tags) {
				tags[tag] = true
			}
			var built []string
			for _, file := range []string{"nopurego.go", "portable.go", "purego.go", "runtime.go", "runtime.s"} {
				if buildLine(t, file).Eval(func(tag string) bool { return tags[tag] }) {
					built = append(built, file)
				}
			}
			if got := strings.Join(built, " "); got != c.want {
				t.Errorf("builds %s, want %s", got, c.want)
			}
		})
	}
}

func buildLine(t *testing.T, file string) constraint.Expr {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(src)) {
		if constraint.IsGoBuild(line) {
			x, err := constraint.Parse(strings.TrimSpace(line))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			return x
		}
	}
	t.Fatalf("%s has no go:build line", file)
	return nil
}

func TestFatalCannotBeRecovered(t *testing.T) {
	if os.Getenv("TURNSTILE_RT_FATAL") != "" {
		defer func() { recover() }()
		Fatal("rt: words of the test")
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Skip("no re-exec on this system:", err)
	}
	cmd := exec.Command(exe, "-test.run=^TestFatalCannotBeRecovered$")
	cmd.Env = append(os.Environ(), "TURNSTILE_RT_FATAL=1")
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Skip("no re-exec on this system:", err)
	}
	if err == nil || !strings.Contains(string(out), "fatal error: rt: words of the test") {
		t.Errorf("exit %v, output:\n%s", err, out)
	}
}
