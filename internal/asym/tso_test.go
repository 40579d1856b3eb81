// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && amd64 && gc && go1.26 && !go1.28 && !purego && !race

package asym

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"
)

func init() { bodies["ReleaseAsm"] = ReleaseAsm }

func TestModeOffset(t *testing.T) {
	if got := unsafe.Offsetof(shared.mode); got != modeOffset {
		t.Errorf("the mode is at offset %d, the assembly thinks %d", got, modeOffset)
	}
}

// archive is the compiled package, without its tests.
func archive(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Export}}", "-export", ".").Output()
	if err != nil {
		t.Skip("no go command: ", err)
	}
	return strings.TrimSpace(string(out))
}

// The compiler may not move the loads of the mode and of Ctl before the plain store,
// nor swap them: edge D.
func TestReleaseOrder(t *testing.T) {
	out, err := exec.Command("go", "tool", "objdump", "-s", `asym\.Release$`, archive(t)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := checkOrder(string(out)); err != nil {
		t.Errorf("%v in\n%s", err, out)
	}
}

var (
	plainStore = regexp.MustCompile(`MOVL \$0x0, 0\(AX\)`)
	modeLoad   = regexp.MustCompile(`(MOVL|CMPL) .*asym\.shared\+64`)
	ctlLoad    = regexp.MustCompile(`(MOVL|CMPL).* 0x4\(AX\)`)
)

// checkOrder wants exactly one plain store, then a load of the mode, then one of Ctl, in
// this order of addresses, and no load of Ctl ahead of them.
func checkOrder(text string) error {
	var seen []string
	for line := range strings.Lines(text) {
		switch {
		case plainStore.MatchString(line):
			seen = append(seen, "store")
		case modeLoad.MatchString(line):
			seen = append(seen, "mode")
		case ctlLoad.MatchString(line):
			seen = append(seen, "ctl")
		}
	}
	switch got := strings.Join(seen, " "); got {
	case "mode store mode ctl":
		return nil
	default:
		return fmt.Errorf("order %q, want \"mode store mode ctl\"", got)
	}
}

func TestCheckOrderSeesDisorder(t *testing.T) {
	const mode, store, ctl = "MOVL asym.shared+64(SB), CX\n", "MOVL $0x0, 0(AX)\n", "MOVL 0x4(AX), CX\n"
	if err := checkOrder(mode + store + mode + ctl); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{mode + store + ctl, mode + mode + store + ctl, mode + store + ctl + mode, mode + ctl + store + mode, mode + mode + ctl} {
		if checkOrder(bad) == nil {
			t.Errorf("accepts\n%s", bad)
		}
	}
}

// The store-buffer litmus of the protocol, with the real barrier: a release and a parker
// may not both miss each other. TestLitmusControl shows that without the barrier they do.
func TestReleaseMeetsParker(t *testing.T) {
	defer ReplaceSystem(System{})()
	if err := Enable(); err != nil {
		t.Skip("no membarrier here: ", err)
	}
	// It is far over the budget, and a pause would test the fenced release only.
	barrier := func() {
		if Barrier(); Mode() != Asymmetric {
			Enable()
		}
	}
	if missed := litmus(500, barrier); missed != 0 {
		t.Errorf("%d of 500 wake-ups lost", missed)
	}
}

// On one CPU, real or virtual, there is nothing to lose, so that this only tells.
func TestLitmusControl(t *testing.T) {
	shared.mode.Store(Asymmetric)
	defer shared.mode.Store(Symmetric)
	t.Logf("without a barrier %d of 20000 wake-ups are lost", litmus(20_000, func() {}))
}

// litmus lets one goroutine release while another parks, and counts the rounds in which
// the first saw no sleeper and the second saw the lock held. The stores of the critical
// section go to lines that the other has just written, so that the release's own store
// waits behind them in the store buffer while its loads go ahead.
func litmus(rounds int, barrier func()) (missed int) {
	var w Words
	var cold [16]struct {
		v uint32
		_ [124]byte
	}
	var turn atomic.Int64
	var slow, held bool
	meet := func(target int64) {
		turn.Add(1)
		for spins := 0; turn.Load() < target; spins++ {
			if spins > 1000 || runtime.GOMAXPROCS(0) == 1 {
				syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) // the other may have no CPU
				runtime.Gosched()
			}
		}
	}
	play := func(step, after func(r int64)) {
		for r := range int64(rounds) {
			meet(4*r + 2)
			step(r)
			meet(4*r + 4)
			after(r)
		}
	}
	var idled atomic.Uint32
	w.Locked.Store(1)
	var wg sync.WaitGroup
	wg.Go(func() {
		play(func(r int64) {
			for range r % 32 {
				idled.Load()
			}
			if !Held(&w) {
				panic("litmus: not held")
			}
			for i := range cold {
				cold[i].v = 1
			}
			slow = Release(&w)
		}, func(int64) {})
	})
	play(func(r int64) {
		for range r / 32 % 64 {
			idled.Load()
		}
		w.Ctl.Add(1)
		barrier()
		held = w.Locked.Load() == 1
	}, func(int64) {
		if held && !slow {
			missed++
		}
		for i := range cold {
			cold[i].v = 0
		}
		w.Ctl.Store(0)
		w.Locked.Store(1)
	})
	wg.Wait()
	return missed
}

// The fallback of a failed barrier must stop the world on this release of Go.
func TestStopTheWorldStops(t *testing.T) {
	const name = "/sched/pauses/total/other:seconds"
	count := func() (n uint64) {
		s := []metrics.Sample{{Name: name}}
		metrics.Read(s)
		for _, c := range s[0].Value.Float64Histogram().Counts {
			n += c
		}
		return n
	}
	before := count()
	for range 10 {
		stopTheWorld()
	}
	if got := count() - before; got < 10 {
		t.Errorf("10 calls stopped the world %d times", got)
	}
}

// A program that never contends: no initialisation work in this package, no goroutine.
func TestStartCostsNothing(t *testing.T) {
	if os.Getenv("TURNSTILE_ASYM_CHILD") != "" {
		var w Words
		for range 1000 {
			w.Locked.Store(1)
			Release(&w)
		}
		fmt.Printf("phase=%d state=%s\n", process.phase.Load(), State())
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test binary: ", err)
	}
	cmd := exec.Command(exe, "-test.run=^TestStartCostsNothing$")
	cmd.Env = append(os.Environ(), "TURNSTILE_ASYM_CHILD=1", "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "phase=0 state=not used: nobody has waited yet") {
		t.Errorf("the child's controller has run:\n%s", out)
	}
	if !strings.Contains(string(out), "init ") {
		t.Errorf("no trace of initialisation:\n%s", out)
	}
	for line := range strings.Lines(string(out)) {
		// This test file has an init function; the package without tests is looked at below.
		if strings.HasPrefix(line, "init ") && strings.Contains(line, "turnstile/internal/") && !strings.Contains(line, "internal/asym ") {
			t.Errorf("initialisation work: %s", line)
		}
	}
}

// What the compiler makes of the package's own initialisation is one RET.
func TestNoInitFunction(t *testing.T) {
	out, err := exec.Command("go", "tool", "objdump", "-s", `asym\.init(\.[0-9]+)?$`, archive(t)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 0 && f[0] != "TEXT" && f[len(f)-1] != "RET" {
			t.Errorf("the package is initialised at start:\n%s", out)
			return
		}
	}
}

// The real thing, in whichever state this kernel puts it.
func TestRealSystem(t *testing.T) {
	defer ReplaceSystem(System{})()
	if err := Enable(); err != nil {
		t.Skip("no membarrier here: ", err)
	}
	idle, busy := Costs()
	if idle <= 0 || busy < idle {
		t.Errorf("a barrier costs %d ns idle, %d busy", idle, busy)
	}
	if price := Barrier(); price <= 0 {
		t.Errorf("a barrier is charged %d ns", price)
	}
	t.Log(State())
	if err := Disable(); err != nil || Mode() != Symmetric {
		t.Errorf("after Disable (%v) mode %d", err, Mode())
	}
	if Barrier() != 0 || Enable() == nil {
		t.Error("Disable is not for good")
	}
}
