// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

const childKey = "TURNSTILE_LOCKTEST_CHILD"

// misuse runs each misuse in a child: it must end the program, with its words, though
// the child defers a recover.
func (r *run) misuse() {
	for _, m := range r.Misuse {
		out, ended := Child(r.T, m.Name, func() {
			defer func() { recover() }()
			m.Do()
		})
		switch {
		case !ended:
			r.Errorf("%s: the program survived; output:\n%s", m.Name, out)
		case !strings.Contains(out, m.Want):
			r.Errorf("%s: the program ended without %q; output:\n%s", m.Name, m.Want, out)
		}
	}
}

// Child runs f in a process of its own: this program again, on the test t alone, which
// must come to this very call of Child before it does anything of note. It returns what
// the child printed and whether f ended it. It skips t where a program cannot run
// itself. A test tells its calls of Child apart by name.
func Child(t T, name string, f func()) (output string, ended bool) {
	t.Helper()
	me := t.Name() + "#" + name
	if os.Getenv(childKey) == me {
		f()
		os.Stdout.WriteString(survived)
		os.Exit(0)
	}
	NeedsExec(t)
	// Enough for a child that ends at once, under emulation and on a busy machine.
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	exe, _ := os.Executable() // NeedsExec has it
	cmd := exec.CommandContext(ctx, exe, "-test.run="+onlyTest(t.Name()))
	// The race detector sleeps for a second when a program ends; no child needs that.
	cmd.Env = append(os.Environ(), childKey+"="+me, "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	return string(out), err != nil && !strings.Contains(string(out), survived)
}

const survived = "\nlocktest: the child survived\n"

// NeedsExec skips t unless this program can run itself: not on js/wasm, and not under
// an emulator that the kernel does not know of.
func NeedsExec(t T) {
	t.Helper()
	exe, err := os.Executable()
	if err == nil {
		cmd := exec.Command(exe, "-test.run=^$")
		cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
		err = cmd.Run()
	}
	if err != nil {
		t.Skipf("this program cannot run itself here: %v", err)
	}
}

// onlyTest is a -test.run pattern for the test of that name.
func onlyTest(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
