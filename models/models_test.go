// SPDX-License-Identifier: BSD-3-Clause

package models

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEdgeLabels fails when an edge of the lock's documentation is not in the model, or
// the other way round.
func TestEdgeLabels(t *testing.T) {
	doc := letters(t, filepath.Join("..", "internal", "mutex", "doc.go"), `(?m)^//\t([A-Z])  `)
	pml := letters(t, "mutex.pml", `(?m)^([A-Z])_[a-z]+:`)
	if !slices.Equal(doc, pml) {
		t.Errorf("edges in doc.go %v, labels in mutex.pml %v", doc, pml)
	}
	if len(doc) == 0 {
		t.Error("no edges found")
	}
}

func letters(t *testing.T, file, pattern string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
		set[m[1]] = true
	}
	return slices.Sorted(maps.Keys(set))
}

type pmlCase struct {
	name   string
	macros string
	fails  bool
	effort int // 0 runs always, 1 with TURNSTILE_LONG=1 or 2, 2 with TURNSTILE_LONG=2, which takes long
}

var pmlCases = []pmlCase{
	{"asymmetric", "-DWORKERS=3 -DSTART=1", false, 1},
	{"asymmetric, cancelled", "-DWORKERS=2 -DSTART=1 -DCANCEL=1", false, 0},
	{"symmetric, cancelled", "-DWORKERS=2 -DSTART=0 -DCANCEL=1", false, 1},
	{"on and off", "-DWORKERS=2 -DSTART=0 -DON=1 -DOFF=1 -DCANCEL=1", false, 1},
	{"off and on, two rounds", "-DWORKERS=2 -DSTART=1 -DON=1 -DOFF=1 -DROUNDS=2", false, 1},
	{"progress", "-DWORKERS=2 -DSTART=1 -DLIVE", false, 1},

	{"no barrier", "-DWORKERS=2 -DSTART=1 -DM_NO_BARRIER", true, 0},
	{"no re-check", "-DWORKERS=2 -DSTART=0 -DM_NO_RECHECK", true, 1},
	{"ctl before mode", "-DWORKERS=2 -DSTART=1 -DON=1 -DOFF=1 -DM_CTL_BEFORE_MODE", true, 0},
	{"mode before the raise", "-DWORKERS=2 -DSTART=0 -DON=1 -DM_MODE_BEFORE_RAISE", true, 1},
	{"1 to 0 without a barrier", "-DWORKERS=2 -DSTART=1 -DOFF=1 -DM_OFF_AT_ONCE", true, 1},
	{"cancelled first waiter is blind", "-DWORKERS=3 -DSTART=1 -DCANCEL=1 -DM_BLIND", true, 1},
	{"unfenced late release", "-DWORKERS=2 -DSTART=1 -DOFF=1 -DM_UNFENCED", true, 1},
	{"cleared in two steps", "-DWORKERS=3 -DSTART=0 -DM_CLEAR_IN_TWO", true, 1},
	{"keeps the wake", "-DWORKERS=3 -DSTART=0 -DCANCEL=1 -DM_KEEPS_WAKE", true, 1},
	{"keeps WOKEN asleep", "-DWORKERS=3 -DSTART=0 -DM_KEEPS_WOKEN", true, 1},
	{"queue without FENCED", "-DWORKERS=3 -DSTART=1 -DROUNDS=2 -DM_LAX_QUEUE", true, 1},

	{"three, cancelled", "-DWORKERS=3 -DSTART=1 -DCANCEL=1", false, 1},
	{"three, turned off", "-DWORKERS=3 -DSTART=1 -DOFF=1 -DCANCEL=1", false, 2},
	{"three, turned on", "-DWORKERS=3 -DSTART=0 -DON=1 -DCANCEL=1", false, 2},
	{"progress, on and off", "-DWORKERS=2 -DSTART=0 -DON=1 -DOFF=1 -DLIVE", false, 2},
	{"progress of three", "-DWORKERS=3 -DSTART=1 -DLIVE", false, 2},
}

// TestMutexModel runs Spin: exclusion, no lost wake-up (an end state that is not one), no
// flag left up, progress under weak fairness; and each mutant caught.
func TestMutexModel(t *testing.T) {
	for _, tool := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the model checker needs %s, which is not installed", tool)
		}
	}
	effort, _ := strconv.Atoi(os.Getenv("TURNSTILE_LONG"))
	for _, c := range pmlCases {
		if c.effort > effort {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			out := verify(t, c.macros)
			caught := !strings.Contains(out, "errors: 0")
			if caught != c.fails {
				t.Errorf("caught %v, want %v:\n%s", caught, c.fails, out)
			}
			t.Log(states.FindString(out), errorLine.FindString(out))
		})
	}
}

var (
	states    = regexp.MustCompile(`\d+ states, stored`)
	errorLine = regexp.MustCompile(`(pan:\d+: .*|errors: 0)`)
)

// verify makes a verifier for one configuration, runs it and returns its report.
func verify(t *testing.T, macros string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile("mutex.pml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mutex.pml"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil && name != "./pan" {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run("spin", append(strings.Fields(macros), "-a", "mutex.pml")...)
	flags, args := []string{"-O0", "-w", "-DCOLLAPSE", "-DVECTORSZ=2048", "-DMEMLIM=3000"}, []string{"-m1000000"}
	if strings.Contains(macros, "LIVE") {
		flags, args = append(flags, "-DNFAIR=4"), append(args, "-a", "-f")
	} else {
		flags = append(flags, "-DSAFETY")
	}
	run("gcc", append(flags, "-o", "pan", "pan.c")...)
	out := run("./pan", args...)
	if !strings.Contains(out, "errors: ") {
		t.Fatalf("no verdict:\n%s", out)
	}
	return out
}
