// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// asCommand makes the test's binary be the command.
const asCommand = "BENCHSTAT_REPORT_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// command returns the command, to be run in dir.
func commandIn(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// An ending is how a command ended.
type ending struct {
	stdout, stderr string
	status         int
}

// finish runs cmd to its end.
func finish(t *testing.T, cmd *exec.Cmd) ending {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	skipEmulator(t, err)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ending{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// skipEmulator skips where the test runs in an emulator that the kernel does not
// know how to start by itself.
func skipEmulator(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("cannot start this binary again: it runs under an emulator")
	}
}

func run(t *testing.T, args ...string) ending {
	t.Helper()
	return finish(t, commandIn(t, "testdata", args...))
}

// oneLineError checks that a command failed as it should: the status, one line that
// names what is wrong and what would be right, and nothing of Go's own.
func (e ending) oneLineError(t *testing.T, status int, want ...string) {
	t.Helper()
	if e.status != status {
		t.Errorf("exit status %d, want %d; standard error: %s", e.status, status, e.stderr)
	}
	if strings.Count(e.stderr, "\n") != 1 || !strings.HasPrefix(e.stderr, "benchstat-report: ") {
		t.Errorf("standard error is not one line of ours: %q", e.stderr)
	}
	for _, w := range append(want, "want ") {
		if !strings.Contains(e.stderr, w) {
			t.Errorf("standard error %q, want %q in it", e.stderr, w)
		}
	}
	if strings.Contains(e.stderr, "goroutine ") || strings.Contains(e.stderr, "panic") {
		t.Errorf("a stack trace: %s", e.stderr)
	}
}

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// golden compares with a file, or rewrites it under -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		writeFile(t, path, got)
		return
	}
	if want := readFile(t, path); got != want {
		t.Errorf("%s differs (go test -update rewrites it); first difference at line %d", path, firstDiff(got, want))
	}
}

func firstDiff(a, b string) int {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return i + 1
		}
	}
	return min(len(as), len(bs)) + 1
}
