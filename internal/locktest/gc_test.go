// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package locktest

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// tightLock spins in a loop without a call. With asynchronous preemption off nothing
// stops that loop, as nothing ever stops one in assembly.
type tightLock struct{ held atomic.Bool }

func (l *tightLock) Lock() {
	for !l.held.CompareAndSwap(false, true) {
	}
}

func (l *tightLock) Unlock() { l.held.Store(false) }

// The check gc does not survive a loop that cannot be preempted. The collector then
// waits for ever, and with it every timer of that process, so this one watches from
// outside; a slow machine makes it pass, not fail. Under -race every atomic is a call,
// and the loop ends.
func TestUnpreemptibleLoopIsCaught(t *testing.T) {
	const child, ended = "TURNSTILE_LOCKTEST_TIGHT", "the collector came through"
	if os.Getenv(child) != "" {
		runtime.GOMAXPROCS(2)
		rec := &recorder{T: t}
		tight := Lock{New: func() sync.Locker { return new(tightLock) }, Spins: true}
		find(t, "gc").on(rec, tight, watchdog, true)
		os.Stdout.WriteString(ended)
		return
	}
	NeedsExec(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	exe, _ := os.Executable() // NeedsExec has it
	cmd := exec.CommandContext(ctx, exe, "-test.run="+onlyTest(t.Name()))
	cmd.Env = append(os.Environ(), child+"=1", "GODEBUG=asyncpreemptoff=1")
	out, _ := cmd.CombinedOutput()
	if ctx.Err() == nil || strings.Contains(string(out), ended) {
		t.Errorf("the collector came through a loop that cannot be preempted; output:\n%s", out)
	}
}
