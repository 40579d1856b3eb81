// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// Whatever is safe here is executed, in each number of times that a loop may get wrong.
func TestInstructionsRun(t *testing.T) {
	for _, in := range instructions() {
		if !in.safe {
			t.Logf("%s is not offered here", in.name)
			continue
		}
		for _, n := range []uint32{0, 1, 2, 100} {
			in.relax(n)
		}
	}
}

func TestDefaultIsSafeAndTested(t *testing.T) {
	all := instructions()
	if !all[0].safe || !all[0].tested {
		t.Errorf("the default %q is safe: %v, tested: %v", all[0].name, all[0].safe, all[0].tested)
	}
	names := map[string]bool{}
	for _, in := range all {
		if names[in.name] || in.relax == nil {
			t.Errorf("instruction %q is there twice or cannot relax", in.name)
		}
		names[in.name] = true
	}
}

func TestChoose(t *testing.T) {
	all := []instruction{
		{name: "pause", safe: true, tested: true},
		{name: "tpause"},
		{name: "mwaitx", safe: true},
	}
	for _, c := range []struct{ wish, name, note string }{
		{"", "pause", ""},
		{"pause", "pause", ""},
		{"mwaitx", "mwaitx", ""},
		{"tpause", "pause", "TURNSTILE_PAUSE=tpause: this CPU or kernel does not offer it; using pause"},
		{"PAUSE", "pause", `TURNSTILE_PAUSE="PAUSE": not one of pause tpause mwaitx; using pause`},
		{"a\nb", "pause", `TURNSTILE_PAUSE="a\nb": not one of pause tpause mwaitx; using pause`},
		{strings.Repeat("x", 99), "pause", `TURNSTILE_PAUSE="` + strings.Repeat("x", 32) + `": not one of pause tpause mwaitx; using pause`},
	} {
		if p := choose(all, c.wish); p.name != c.name || p.note != c.note {
			t.Errorf("wish %q: %s with note %q, want %s with %q", c.wish, p.name, p.note, c.name, c.note)
		}
	}
}

// A clock of 100 ns steps that only the instruction moves must give its cost back.
func TestMeasure(t *testing.T) {
	for _, cost := range []float64{0.2, 3, 24, 140, 9000} {
		var at float64
		relax := func(n uint32) { at += float64(n) * cost }
		now := func() int64 { return int64(at) / 100 * 100 }
		got := measure(relax, now)
		// The clock's step is at most a fortieth of a sample.
		if math.Abs(got-cost) > cost/20 {
			t.Errorf("measured %.2f ns, want %.2f", got, cost)
		}
	}
	if got := measure(func(uint32) {}, func() int64 { return 0 }); got != 0 {
		t.Errorf("a clock that stands still gives %.2f ns", got)
	}
}

func TestExecutions(t *testing.T) {
	p := newPacer(generic(), "")
	p.setCost(24)
	for _, c := range []struct {
		d    time.Duration
		want uint32
	}{
		{1, 1}, {24, 1}, {35, 1}, {37, 2}, {50, 2}, {1000, 42}, {maxDelay, 417}, {time.Hour, 417}, {math.MaxInt64, 417},
	} {
		if got := p.executions(c.d); got != c.want {
			t.Errorf("%v is %d executions of 24 ns, want %d", c.d, got, c.want)
		}
	}
}

func TestRelaxForBatches(t *testing.T) {
	r := newRecorder(24, 0)
	r.relaxFor(417)
	if r.waited != 417 || r.longest > r.batch {
		t.Errorf("%d executions, at most %d in a call; want 417 and at most %d", r.waited, r.longest, r.batch)
	}
}

// swapPacer puts p in place of the process's own for one test.
func swapPacer(t *testing.T, p *pacer) {
	old := pace()
	current.Store(p)
	t.Cleanup(func() { current.Store(old) })
}

func TestPauseAndDelayCount(t *testing.T) {
	Features() // nobody calibrates meanwhile
	for _, c := range []struct {
		name string
		call func()
		want uint64
	}{
		{"Pause(0)", func() { Pause(0) }, 0},
		{"Pause(-1)", func() { Pause(-1) }, 0},
		{"Pause(1)", func() { Pause(1) }, 11},
		{"Pause(5)", func() { Pause(5) }, 55},
		{"Pause(MaxInt)", func() { Pause(math.MaxInt) }, 3333},
		{"Delay(0)", func() { Delay(0) }, 0},
		{"Delay(-1)", func() { Delay(-time.Second) }, 0},
		{"Delay(300ns)", func() { Delay(300) }, 100},
		{"Delay(1h)", func() { Delay(time.Hour) }, 3333},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRecorder(3, 0)
			swapPacer(t, r.pacer)
			c.call()
			if r.waited != c.want {
				t.Errorf("%d executions of 3 ns, want %d", r.waited, c.want)
			}
		})
	}
}

func TestFeatures(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { Features() }) // all of them wait for the one that calibrates
	}
	wg.Wait()
	in := Features()
	if in != Features() {
		t.Error("two calls of Features differ")
	}
	if in.PauseNs <= 0 || in.RoundNs < in.PauseNs || in.Hooks != rt.Hooks || in.Membarrier == "" {
		t.Errorf("Features() = %+v", in)
	}
	if (in.HooksNote == "") != (in.Hooks == "runtime") {
		t.Errorf("hooks %q with note %q", in.Hooks, in.HooksNote)
	}
	t.Log(in)
}

func TestDisableAsymmetric(t *testing.T) {
	defer asym.ReplaceSystem(asym.System{})()
	if err := DisableAsymmetric(); err != nil {
		t.Fatal(err)
	}
	if got := Features().Membarrier; asym.Barriers && got != "off: by request" {
		t.Errorf("after DisableAsymmetric: %q", got)
	}
}

func TestInfoString(t *testing.T) {
	for _, c := range []struct {
		in   Info
		want string
	}{
		{Info{Pause: "pause", PauseTested: true, PauseNs: 24, RoundNs: 24, Membarrier: "not used", Hooks: "runtime"},
			"pause pause (tested) 24.0 ns, 24.0 ns a round; membarrier not used; hooks runtime"},
		{Info{Pause: "sb", PauseNs: 3, RoundNs: 33, PauseNote: "a note", LSE: true, Membarrier: "not used", Hooks: "portable", HooksNote: "portable: why"},
			"pause sb (untested) 3.0 ns, 33.0 ns a round; a note; LSE atomics; membarrier not used; hooks portable: why"},
	} {
		if got := c.in.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
