// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"shwo"}, `unknown command "shwo"; want one of run, show, topo, help`},
		{[]string{"-format", "csv"}, "flag -format before a command"},
		{[]string{"show", "-colour", "x"}, "flag provided but not defined: -colour"},
		{[]string{"show", "-confidence", "much", "x"}, `invalid value "much"`},
		{[]string{"show", "x", "-format"}, "flag needs an argument: -format"},
		{[]string{"run", "x.txt"}, `run: argument "x.txt"; want flags only`},
		{[]string{"topo", "x"}, `topo: argument "x"`},
		{[]string{"topo", "-format", "html"}, `-format "html": want one of text, json`},
		{[]string{"topo", "-root", "nowhere"}, "-root nowhere: no such file or directory"},
		{[]string{"topo", "-root", "recorded.txt"}, "-root recorded.txt: not a directory"},
		{[]string{"help", "shwo"}, `unknown command "shwo"`},
		{[]string{"help", "a", "b"}, "want one command"},
	} {
		e := run(t, c.args...)
		if e.status != 2 || e.stdout != "" || strings.Count(e.stderr, "\n") != 1 || !strings.Contains(e.stderr, c.want) {
			t.Errorf("%v: exit status %d, %q; want 2 and %q in one line", c.args, e.status, e.stderr, c.want)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"--help"}, {"help"}} {
		e := run(t, args...)
		if e.status != 0 || e.stderr != "" {
			t.Errorf("%v: %+v", args, e)
		}
		for _, c := range commands {
			if !strings.Contains(e.stdout, c.name) || !strings.Contains(e.stdout, c.about) {
				t.Errorf("%v does not explain %s", args, c.name)
			}
		}
	}
	for _, c := range commands {
		a, b := run(t, c.name, "-h"), run(t, "help", c.name)
		if a.status != 0 || a.stderr != "" || !strings.HasPrefix(a.stdout, "usage: benchstat-report "+c.name) || a.stdout != b.stdout {
			t.Errorf("%s -h: %+v", c.name, a)
		}
	}
	if e := run(t, "show", "-h"); !strings.Contains(e.stdout, "text, csv, json, markdown, html") {
		t.Errorf("show -h does not list the formats:\n%s", e.stdout)
	}
}

// What nobody can read was not a success.
func TestFullStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here to stand for a full disk")
	}
	defer full.Close()
	for _, args := range [][]string{{"-h"}, {"help"}, {"help", "show"}, {"run", "-h"}, {"-version"}, {"topo"}, {"show", "recorded.txt"}, {"run"}} {
		cmd := commandIn(t, "testdata", args...)
		var errs strings.Builder
		cmd.Stdout, cmd.Stderr = full, &errs
		err := cmd.Run()
		skipEmulator(t, err)
		if cmd.ProcessState.ExitCode() != 1 || errs.String() != "benchstat-report: cannot write to standard output: no space left on device\n" {
			t.Errorf("%v: exit status %d, %q; want 1 and why", args, cmd.ProcessState.ExitCode(), errs.String())
		}
	}
}

func TestVersion(t *testing.T) {
	for _, flag := range []string{"-version", "--version"} {
		e := run(t, flag)
		if e.status != 0 || e.stderr != "" || !strings.HasPrefix(e.stdout, "benchstat-report ") || !strings.Contains(e.stdout, runtime.Version()) || strings.Count(e.stdout, "\n") != 1 {
			t.Errorf("%s: %+v", flag, e)
		}
	}
	run(t, "-version", "x").oneLine(t, 2)
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	if got := versionLine(info); !strings.HasPrefix(got, "benchstat-report v1.2.3, commit abc with changes, go") {
		t.Errorf("%q", got)
	}
	if got := versionLine(new(debug.BuildInfo)); !strings.HasPrefix(got, "benchstat-report version unknown, commit unknown, go") {
		t.Errorf("%q", got)
	}
}

func TestTopo(t *testing.T) {
	if e := run(t, "topo"); e.status != 0 || !strings.Contains(e.stdout, "CPU") {
		t.Errorf("topo: %+v", e)
	}
	out := filepath.Join(t.TempDir(), "t.json")
	if e := run(t, "topo", "-format", "json", "-o", out); e.status != 0 || e.stdout != "" {
		t.Errorf("topo -format json: %+v", e)
	}
	var v struct {
		CPUs []struct{ ID, Core, Node int }
	}
	if err := json.Unmarshal([]byte(readFile(t, out)), &v); err != nil || len(v.CPUs) == 0 {
		t.Errorf("json: %+v, error %v", v, err)
	}
	run(t, "topo", "-root", t.TempDir()).oneLine(t, 2)
}

// oneLine checks the status and that there is one line.
func (e ending) oneLine(t *testing.T, status int) {
	t.Helper()
	if e.status != status || strings.Count(e.stderr, "\n") != 1 || e.stdout != "" {
		t.Errorf("exit status %d, %q; want %d and one line", e.status, e.stderr, status)
	}
}
