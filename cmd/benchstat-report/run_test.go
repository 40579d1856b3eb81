// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// tiny are flags for a run of a second; its numbers mean nothing. With a thousand
// goroutines and a busy machine much less time would not do for a single acquisition.
var tiny = []string{"run", "-d=20ms", "-samples=1"}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "report.txt"), "older\n")
	e := finish(t, commandIn(t, dir, tiny...))
	if e.status != 0 {
		t.Fatalf("exit status %d: %s", e.status, e.stderr)
	}
	first, _, _ := strings.Cut(e.stdout, "std")
	if !strings.HasPrefix(first, "two spinners ") || !strings.Contains(first, "\nprocessor ") || !strings.Contains(first, "features ") || !strings.Contains(first, "suite quick: 18 loads") {
		t.Errorf("no description of the machine at first:\n%s", first)
	}
	for _, want := range []string{"turnstile against std; rows by verdict", "acq/s: acquisitions per second (higher is better)", "geomean", "unknown in 18 of 18 rows; longest wait", "6 more with -all: sec/op, "} {
		if !strings.Contains(e.stdout, want) {
			t.Errorf("no %q in\n%s", want, e.stdout)
		}
	}
	if n := strings.Count(strings.ToLower(e.stdout), "too few"); n != 1 || !strings.Contains(e.stdout, "-samples 6 or more") {
		t.Errorf("few samples are told %d times, want once, with what to do", n)
	}
	if lines := strings.Split(strings.TrimSpace(e.stdout), "\n"); !strings.Contains(lines[len(lines)-1], "warning: ") && !strings.HasPrefix(lines[len(lines)-1], "turnstile against std: throughput ") {
		t.Errorf("last line %q, want the conclusion", lines[len(lines)-1])
	}
	if !strings.Contains(e.stderr, "36 of 36 samples") || !strings.HasSuffix(e.stderr, "wrote report.txt and report.html\n") {
		t.Errorf("standard error: %q", e.stderr)
	}
	if readFile(t, filepath.Join(dir, "report.prev.txt")) != "older\n" {
		t.Error("the older results are gone")
	}
	page, text := readFile(t, filepath.Join(dir, "report.html")), readFile(t, filepath.Join(dir, "report.txt"))
	if strings.Count(page, "<svg ") != 6 || strings.Count(text, "\nBenchmarkGrid/lock=") != 36 {
		t.Errorf("%d pictures, %d results; want 6 and 36", strings.Count(page, "<svg "), strings.Count(text, "\nBenchmark"))
	}
	shown := finish(t, commandIn(t, dir, "show", "report.txt"))
	tables := regexp.MustCompile(`(?s)turnstile against std; .*turnstile against std: [^\n]*\n`)
	if got := tables.FindString(shown.stdout); got == "" || got != tables.FindString(e.stdout) {
		t.Error("show prints other tables than run did")
	}
	for _, want := range []string{"\nlost: ", "\ncaches: ", "\ndate: 2", "\nsuite: quick\n", "\ncell: 20ms\n", "\nsamples: 1\n", "\ndelay-ns: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in report.txt", want)
		}
	}
	for _, where := range []string{page, shown.stdout} {
		if !strings.Contains(where, "suite quick, 1 sample, 20ms each") || !strings.Contains(where, "spin.Delay(1us) ") || !strings.Contains(where, "% of a CPU") {
			t.Error("the run or its calibration is not shown")
		}
	}
	again := finish(t, commandIn(t, dir, "show", "-format=html", "report.txt"))
	if again.stdout != page {
		t.Error("show makes another page than run did")
	}
	readableByBenchstat(t, filepath.Join(dir, "report.txt"))
}

// readableByBenchstat runs plain benchstat, which must not have a word to say.
func readableByBenchstat(t *testing.T, path string) {
	t.Helper()
	cmd := exec.Command("go", "tool", "benchstat", "-col", "/lock", path)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("benchstat: %v: %s", err, errs.String())
	}
	if errs.Len() > 0 || !strings.Contains(out.String(), "acq/s") {
		t.Errorf("benchstat warns: %s", errs.String())
	}
}

// What plain benchstat says of the medians is what we say.
func TestAgreesWithBenchstat(t *testing.T) {
	readableByBenchstat(t, "testdata/recorded.txt")
	out, err := exec.Command("go", "tool", "benchstat", "-col", "/lock", "-format", "csv", "testdata/recorded.txt").Output()
	if err != nil {
		t.Fatal(err)
	}
	ours := run(t, "show", "-format", "csv", "recorded.txt").stdout
	n := 0
	for _, line := range strings.Split(string(out), "\n") {
		f := strings.Split(line, ",")
		if len(f) < 5 || !strings.HasPrefix(f[0], "Grid/") {
			continue
		}
		n++
		for _, center := range []string{f[1], f[3]} {
			if !strings.Contains(ours, ","+center+",") {
				t.Errorf("%s: benchstat has %s, we do not", f[0], center)
			}
		}
	}
	if n != 9*6 {
		t.Errorf("benchstat printed %d rows, want 54", n)
	}
}

func TestRunRefuses(t *testing.T) {
	dir := t.TempDir()
	ro := filepath.Join(dir, "no", "dir.txt")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-d", "0"}, 2, "-d 0s: want a duration"},
		{[]string{"-d", "-1s"}, 2, "-d -1s: want a duration"},
		{[]string{"-samples", "0"}, 2, "-samples 0: want 1 to 1000000"},
		{[]string{"-suite", "slow"}, 2, `-suite: unknown suite "slow", known are quick, grid`},
		{[]string{"-locks", "std,mcs"}, 2, `-locks: unknown lock "mcs", known are std,`},
		{[]string{"-o", ro}, 1, "cannot write " + ro},
		{[]string{"-html", ro}, 1, "cannot write " + ro},
		{[]string{"-o", dir}, 1, "cannot write " + dir},
		{[]string{"-o", ""}, 2, "-o: no file name"},
		{[]string{"-o", "a", "-html", "./a"}, 2, "-o and -html are both"},
		{[]string{"-format", "pdf"}, 2, `-format "pdf"`},
		{[]string{"-confidence", "2"}, 2, "-confidence 2"},
		{[]string{"-o", "a", "-html", filepath.Join(dir, "a")}, 2, "-o and -html are both"},
		{[]string{"-html", "report.prev.txt"}, 2, "-html report.prev.txt: is where the older results are kept"},
		{[]string{"-o", "-"}, 2, "-: standard output is for the tables"},
		{[]string{"-html", "-"}, 2, "-: standard output is for the tables"},
		{[]string{"-locks", "std,turnstile,std"}, 2, "-locks: std is named twice"},
		{[]string{"-base", "nope"}, 2, "-base nope: is not among the locks to be measured; want one of std, turnstile"},
		{[]string{"-base", "chan", "-locks", "std,xsem"}, 2, "-base chan: is not among the locks"},
		{[]string{"-base", "std", "-filter", "/lock:turnstile"}, 2, "-base std: no such lock in "},
		{[]string{"-filter", "/goroutines:2 .unit:acq/h"}, 2, `-filter "/goroutines:2 .unit:acq/h": matches none of 36 results`},
		{[]string{"-filter", "("}, 2, `-filter "(": expected key:value or subexpression; want`},
		{[]string{"-ignore", "a,,b"}, 2, `-ignore "a,,b": expected key; want`},
		{[]string{"-samples", "1000001"}, 2, "-samples 1000001: want 1 to 1000000"},
		{[]string{"-samples", "9223372036854775807"}, 2, "-samples"},
		{[]string{"-samples", "300000000000000"}, 2, "-samples"}, // as no int at all where that has 32 bits
		{[]string{"-samples", "1000000", "-d", "1h"}, 2, "-samples 1000000 and -d 1h0m0s: 36000000 samples in all would take more than a year"},
		{[]string{"-d", "2540400h"}, 2, "would take more than a year"},
	} {
		e := finish(t, commandIn(t, dir, append([]string{"run"}, c.args...)...))
		if e.status != c.status || e.stdout != "" || strings.Count(e.stderr, "\n") != 1 || !strings.Contains(e.stderr, c.want) {
			t.Errorf("%v: exit status %d, %q; want %d and %q in one line, before anything is measured", c.args, e.status, e.stderr, c.status, c.want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("refused runs left %v", left)
	}
}

// interrupt starts a run of many minutes and interrupts it after the first result.
func interrupt(t *testing.T, dir string) ending {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted by a test on windows")
	}
	cmd := commandIn(t, dir, "run", "-d=20ms", "-samples=10000", "-o=r.txt")
	var out bytes.Buffer
	cmd.Stdout = &out
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Start()
	skipEmulator(t, err)
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	for s := bufio.NewScanner(pipe); s.Scan(); {
		if strings.HasPrefix(s.Text(), "1 of ") {
			cmd.Process.Signal(os.Interrupt)
		} else {
			errs.WriteString(s.Text() + "\n")
		}
	}
	cmd.Wait()
	return ending{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// Ctrl-C in the middle: what was measured is in the file, in the tables and on the
// page, and one line says so.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	e := interrupt(t, dir)
	if e.status != 130 || strings.Count(e.stderr, "\n") != 1 || !strings.Contains(e.stderr, "interrupted after ") || !strings.Contains(e.stderr, "r.txt and report.html") {
		t.Fatalf("exit status %d, %q", e.status, e.stderr)
	}
	n := strings.Count(readFile(t, filepath.Join(dir, "r.txt")), "\nBenchmark")
	if n == 0 || !strings.Contains(e.stderr, "after "+itoa(n)+" of ") {
		t.Errorf("%d results in the file, %q", n, e.stderr)
	}
	if !strings.Contains(e.stdout, "acq/s: ") || !strings.Contains(readFile(t, filepath.Join(dir, "report.html")), "acq/s") {
		t.Error("what was measured is not shown")
	}
	if shown := finish(t, commandIn(t, dir, "show", "r.txt")); shown.status != 0 || shown.stderr != "" {
		t.Errorf("the file cannot be shown: %+v", shown)
	}
}

// A disk that is full loses nothing that was measured.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here to stand for a full disk")
	}
	dir := t.TempDir()
	e := finish(t, commandIn(t, dir, append(tiny, "-o=/dev/full")...))
	if e.status != 1 || !strings.Contains(e.stderr, "cannot write /dev/full: no space left on device; the 1 of 36 samples") {
		t.Errorf("exit status %d, %q", e.status, e.stderr)
	}
	if !strings.Contains(e.stdout, "acq/s: ") {
		t.Error("the sample that was measured is not shown")
	}
}

// On standard output is nothing but the format asked for.
func TestRunFormat(t *testing.T) {
	dir := t.TempDir()
	e := finish(t, commandIn(t, dir, "run", "-d=20ms", "-samples=1", "-format=csv", "-html=", "-o=a=x.txt", "-locks=turnstile,chan", "-base=chan"))
	if e.status != 0 || !strings.HasPrefix(e.stdout, "group,machine,") || strings.Contains(e.stdout, "two spinners") {
		t.Errorf("exit status %d, %q, standard output:\n%.300s", e.status, e.stderr, e.stdout)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("wrote %v, want a=x.txt only", left)
	}
}
