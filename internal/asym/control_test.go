// SPDX-License-Identifier: BSD-3-Clause

package asym

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A world is a System under a test's thumb. It drives a controller of its own, so that
// these tests run alike on every architecture.
type world struct {
	controller
	word atomic.Uint32

	now         atomic.Int64
	price       atomic.Int64 // ns that a barrier takes
	mask        int
	errOf       sync.Map // cmd -> errno
	calls       sync.Map // cmd -> *atomic.Int64
	stops       atomic.Int64
	env         string
	inline      bool          // register in the caller
	registering chan struct{} // closed when a registration has begun
	proceed     chan struct{} // nil, or what a registration waits for
	seen        []uint32      // modes at each barrier and stop
	seenMu      sync.Mutex
}

func newWorld() *world {
	w := &world{mask: cmdBarrier | cmdRegister, inline: true}
	w.mode = &w.word
	w.now.Store(1e12)
	w.price.Store(1000)
	w.sys.Store(&System{
		Membarrier:   w.membarrier,
		StopTheWorld: func() { w.stops.Add(1); w.note() },
		Now:          w.now.Load,
		Getenv:       func(string) string { return w.env },
		Procs:        func() int { return 2 },
		Go: func(f func()) {
			if w.inline {
				f()
			} else {
				go f()
			}
		},
		Calibrate: func(*System, func()) (int64, int64) { return 400, 9000 },
	})
	return w
}

func (w *world) note() {
	w.seenMu.Lock()
	w.seen = append(w.seen, w.word.Load())
	w.seenMu.Unlock()
}

func (w *world) membarrier(cmd int) (int, int) {
	n, _ := w.calls.LoadOrStore(cmd, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
	switch cmd {
	case cmdBarrier:
		w.now.Add(w.price.Load())
		w.note()
	case cmdRegister:
		if w.registering != nil {
			close(w.registering)
			<-w.proceed
		}
	}
	if e, bad := w.errOf.Load(cmd); bad {
		return -1, e.(int)
	}
	return w.mask, 0
}

func (w *world) called(cmd int) int64 {
	if n, ok := w.calls.Load(cmd); ok {
		return n.(*atomic.Int64).Load()
	}
	return 0
}

func (w *world) contended() {
	if w.phase.Load() <= phasePaused {
		w.attend()
	}
}

func (w *world) expect(t *testing.T, mode uint32, state string) {
	t.Helper()
	if got := w.word.Load(); got != mode {
		t.Errorf("mode %d, want %d", got, mode)
	}
	if got := w.state(); !strings.HasPrefix(got, state) {
		t.Errorf("state %q, want it to begin with %q", got, state)
	}
}

func TestTurnsOnAtFirstContention(t *testing.T) {
	w := newWorld()
	w.expect(t, Symmetric, "not used: nobody has waited yet")
	for range 3 {
		w.contended()
	}
	w.expect(t, Asymmetric, "in use: a barrier takes 400 ns idle, 9000 ns busy; 0 barriers")
	for cmd, want := range map[int]int64{cmdQuery: 1, cmdRegister: 1, cmdBarrier: 1} {
		if got := w.called(cmd); got != want {
			t.Errorf("command %d called %d times, want %d", cmd, got, want)
		}
	}
}

func TestRegistrationThatFails(t *testing.T) {
	for _, c := range []struct {
		name, env  string
		mask       int
		cmd, errno int
		state      string
	}{
		{"query", "", cmdBarrier | cmdRegister, cmdQuery, errnoNoSys, "off: membarrier: ENOSYS"},
		{"not offered", "", cmdRegister, -1, 0, "off: membarrier: not offered by this kernel"},
		{"register", "", cmdBarrier | cmdRegister, cmdRegister, errnoInval, "off: membarrier: EINVAL"},
		{"trial", "", cmdBarrier | cmdRegister, cmdBarrier, 77, "off: membarrier: errno 77"},
		{"environment", "off", cmdBarrier | cmdRegister, -1, 0, "off: TURNSTILE_ASYM=off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			w.env, w.mask = c.env, c.mask
			w.errOf.Store(c.cmd, c.errno)
			w.contended()
			w.expect(t, Symmetric, c.state)
			w.contended()
			if err := w.enable(); err == nil || err.Error() != "asym: "+c.state {
				t.Errorf("Enable: %v", err)
			}
			if w.barrier() != 0 || w.stops.Load() != 0 {
				t.Error("a barrier that nobody needs did something")
			}
		})
	}
}

// A registration that takes for ever delays nobody, and one that ends after Disable
// changes nothing.
func TestSlowRegistration(t *testing.T) {
	w := newWorld()
	w.inline = false
	w.registering, w.proceed = make(chan struct{}), make(chan struct{})
	w.contended()
	<-w.registering
	for range 1000 {
		w.contended()
		w.barrier()
	}
	w.expect(t, Symmetric, "not used: registering")
	if err := w.disable(); err != nil {
		t.Error(err)
	}
	close(w.proceed)
	for w.called(cmdBarrier) == 0 { // the trial call: the registration is about to end
		time.Sleep(time.Millisecond)
	}
	w.expect(t, Symmetric, "off: by request")
}

func TestBarrierThatStartsFailing(t *testing.T) {
	t.Run("for good", func(t *testing.T) {
		w := newWorld()
		w.contended()
		w.barrier()
		w.errOf.Store(cmdBarrier, errnoNoSys)
		w.barrier()
		w.expect(t, Symmetric, "off: membarrier failed in use: ENOSYS")
		if w.stops.Load() != 1 {
			t.Errorf("%d stops of the world, want 1", w.stops.Load())
		}
		// trial, good one, failed one, the leaver's, the stop: the last two while leaving.
		want := []uint32{0, 1, 1, 2, 2}
		if len(w.seen) != len(want) {
			t.Fatalf("modes at fences %v, want %v", w.seen, want)
		}
		for i := range want {
			if w.seen[i] != want[i] {
				t.Fatalf("modes at fences %v, want %v", w.seen, want)
			}
		}
	})
	t.Run("registration lost", func(t *testing.T) {
		w := newWorld()
		w.contended()
		w.errOf.Store(cmdBarrier, errnoPerm)
		w.inline = false
		w.registering, w.proceed = make(chan struct{}), make(chan struct{})
		w.barrier()
		<-w.registering // in the background: barrier has returned
		w.expect(t, Symmetric, "not used: registering")
		w.errOf.Delete(cmdBarrier)
		close(w.proceed)
		for w.phase.Load() == phaseBusy {
			time.Sleep(time.Millisecond)
		}
		w.expect(t, Asymmetric, "in use")
		w.errOf.Store(cmdBarrier, errnoPerm)
		w.barrier()
		w.expect(t, Symmetric, "off: membarrier failed in use: EPERM")
		if w.called(cmdRegister) != 2 {
			t.Errorf("registered %d times, want 2", w.called(cmdRegister))
		}
	})
	t.Run("filter", func(t *testing.T) {
		w := newWorld()
		w.contended()
		for _, cmd := range []int{cmdQuery, cmdRegister, cmdBarrier} {
			w.errOf.Store(cmd, errnoPerm)
		}
		w.barrier()
		w.expect(t, Symmetric, "off: membarrier: EPERM")
	})
	t.Run("while leaving", func(t *testing.T) {
		w := newWorld()
		w.contended()
		w.errOf.Store(cmdBarrier, errnoInval)
		w.disable()
		w.expect(t, Symmetric, "off: by request")
		if w.stops.Load() != 1 {
			t.Errorf("%d stops of the world, want 1", w.stops.Load())
		}
	})
}

func TestBudget(t *testing.T) {
	w := newWorld()
	w.contended()
	// Busy barriers of 9 us cost 18 on two CPUs; a window's budget for two is 2 ms.
	w.price.Store(9000)
	n := 0
	for w.word.Load() == Asymmetric {
		w.barrier()
		n++
	}
	if n != 112 {
		t.Errorf("over budget after %d barriers, want 112", n)
	}
	w.expect(t, Symmetric, "paused: barriers were over budget")
	w.contended()
	w.expect(t, Symmetric, "paused")
	w.now.Add(pauseShortest)
	w.contended()
	w.expect(t, Asymmetric, "in use")

	// The same load once more: the pause doubles, up to its limit.
	for pause := int64(2 * pauseShortest); ; pause *= 2 {
		for w.word.Load() == Asymmetric {
			w.barrier()
		}
		w.now.Add(min(pause, pauseLongest) - 20_000) // the leaver's own barrier took some of it
		w.contended()
		w.expect(t, Symmetric, "paused")
		w.now.Add(20_000)
		w.contended()
		w.expect(t, Asymmetric, "in use")
		if pause > pauseLongest {
			break
		}
	}
	// It stayed on for longer than it paused: the next pause is short again.
	w.now.Add(pauseLongest)
	for w.word.Load() == Asymmetric {
		w.barrier()
	}
	w.now.Add(pauseShortest)
	w.contended()
	w.expect(t, Asymmetric, "in use")
}

func TestWithinBudgetForEver(t *testing.T) {
	w := newWorld()
	w.contended()
	w.price.Store(9000)
	for range 10_000 {
		w.barrier()
		w.now.Add(1_000_000) // 18 us a millisecond of two CPUs: 0.9 %
	}
	w.expect(t, Asymmetric, "in use")
	if n, ns := w.barriers.Load(), w.charged.Load(); n != 10_000 || ns != 180_000_000 {
		t.Errorf("charged %d ns for %d barriers, want 180000000 for 10000", ns, n)
	}
}

func TestPriceOfABarrier(t *testing.T) {
	for _, c := range []struct{ elapsed, want int64 }{
		{400, 400},         // nobody was disturbed
		{9000, 18000},      // the other CPU paid as much
		{500_000, 509_000}, // this thread lost its CPU: not the other's loss
	} {
		w := newWorld()
		w.contended()
		w.price.Store(c.elapsed)
		if got := w.barrier(); got != c.want {
			t.Errorf("a barrier of %d ns is charged %d, want %d", c.elapsed, got, c.want)
		}
	}
}

// Whatever happens at once, I1 holds and Disable has the last word.
func TestTransitionsAtOnce(t *testing.T) {
	for round := range 300 {
		w := newWorld()
		w.inline = round%2 == 0
		w.price.Store(int64(round) * 1000)
		if round%3 == 0 {
			w.errOf.Store(cmdBarrier, 0)
		}
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				for k := range 50 {
					w.contended()
					w.barrier()
					switch {
					case i == 0 && k == 20 && round%3 == 1:
						w.errOf.Store(cmdBarrier, errnoPerm)
					case i == 1 && k == 25:
						w.errOf.Delete(cmdBarrier)
					case i == 2:
						w.now.Add(pauseShortest / 7)
					case i == 3 && k == 40:
						w.disable()
						if w.word.Load() != Symmetric {
							t.Error("not symmetric after Disable")
						}
					}
				}
			})
		}
		wg.Wait()
		w.expect(t, Symmetric, "off: ")
	}
}

func TestEnableEndsAPause(t *testing.T) {
	w := newWorld()
	if err := w.enable(); err != nil {
		t.Fatal(err)
	}
	w.price.Store(10_000_000)
	w.barrier()
	w.expect(t, Symmetric, "paused")
	if err := w.enable(); err != nil {
		t.Fatal(err)
	}
	w.expect(t, Asymmetric, "in use")
}
