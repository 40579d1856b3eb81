// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/measure"
)

// link makes a symbolic link, or skips the test where nobody may.
func link(t *testing.T, to, at string) string {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	return at
}

// listing is what a directory holds, links unfollowed.
func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// show -o never costs the measurements that it shows, whatever they are called.
func TestOutputIsAnInput(t *testing.T) {
	recorded := readFile(t, "testdata/recorded.txt")
	dir := t.TempDir()
	in := writeFile(t, filepath.Join(dir, "in.txt"), recorded)
	if err := os.Link(in, filepath.Join(dir, "hard.txt")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	link(t, "in.txt", filepath.Join(dir, "soft.txt"))
	other := writeFile(t, filepath.Join(dir, "other.txt"), recorded)
	for _, args := range [][]string{
		{"in.txt", "in.txt"}, {"./in.txt", "x=in.txt"}, {in, "in.txt"}, {"soft.txt", "in.txt"}, {"in.txt", "soft.txt"},
		{"hard.txt", "in.txt"}, {"in.txt", "other.txt", "x=" + in},
	} {
		e := finish(t, commandIn(t, dir, append([]string{"show", "-format=csv", "-o"}, args...)...))
		e.oneLineError(t, 2, "-o "+args[0]+": is the input", "want another file")
		if readFile(t, in) != recorded {
			t.Fatalf("show -o %v: the measurements are gone", args)
		}
	}
	stdin, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	cmd := commandIn(t, dir, "show", "-o", "in.txt", "-")
	cmd.Stdin = stdin
	finish(t, cmd).oneLineError(t, 2, "-o in.txt: is the input -")
	if e := finish(t, commandIn(t, dir, "show", "-o", "other.txt", "in.txt")); e.status != 0 || readFile(t, other) == recorded || readFile(t, in) != recorded {
		t.Errorf("another file: %+v", e)
	}
	if e := finish(t, commandIn(t, dir, "show", "-o", "-", "in.txt")); e.status != 0 || !strings.Contains(e.stdout, "acq/s") || slices.Contains(listing(t, dir), "-") {
		t.Errorf("-o -: %.100q, files %v; want standard output", e.stderr, listing(t, dir))
	}
}

// Asking whether a file can be written changes nothing.
func TestWritableLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeFile(t, at("old"), "old\n")
	link(t, "nowhere", at("dangling"))
	link(t, "dangling", at("chain"))
	link(t, "old", at("good"))
	link(t, "circle", at("circle"))
	link(t, filepath.Join("no", "dir"), at("astray"))
	want := listing(t, dir)
	for name, ok := range map[string]bool{
		"old": true, "new": true, "dangling": true, "chain": true, "good": true, "circle": false, "astray": false, "no/file": false, ".": false,
	} {
		if err := writable(at(name)); (err == nil) != ok {
			t.Errorf("writable(%s) = %v, want success: %v", name, err, ok)
		}
		if got := listing(t, dir); !slices.Equal(got, want) {
			t.Fatalf("after %s there are %v, want %v", name, got, want)
		}
	}
	if readFile(t, at("old")) != "old\n" {
		t.Error("a file that was there has changed")
	}
	e := finish(t, commandIn(t, dir, "show", "-o", "dangling", "missing.txt"))
	if got := listing(t, dir); e.status != 2 || !slices.Equal(got, want) {
		t.Errorf("a command that failed left %v, want %v", got, want)
	}
}

// One file by two names, there or not.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, d := range []string{"d", "d/e"} {
		if err := os.Mkdir(at(d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, at("old"), "")
	writeFile(t, at("old2"), "")
	link(t, "new", at("dangling"))
	link(t, filepath.Join("d", "e"), at("linked"))
	sep := string(filepath.Separator)
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{at("old"), at("old"), true}, {at("old"), at("old2"), false}, {at("old"), at("new"), false}, {at("new"), at("old"), false},
		{at("new"), at("new2"), false}, {at("new"), at("dangling"), true}, {at("dangling"), at("new"), true},
		{at("d/e/new"), at("linked/new"), true}, {at("d/new"), dir + sep + "linked" + sep + ".." + sep + "new", true},
		{at("new"), dir + sep + "linked" + sep + ".." + sep + "new", false}, {at("no/x"), at("no/x"), true},
	} {
		if got := sameFile(c.a, c.b); got != c.same {
			t.Errorf("sameFile(%s, %s) = %v", c.a, c.b, got)
		}
	}
	t.Chdir(dir)
	if !sameFile("new", at("new")) || !sameFile("./d/../new", "new") || sameFile("new", "new2") {
		t.Error("relative names")
	}
}

// A page that became another name of the results while these were measured is not
// written over them.
func TestPageIsNotWrittenOverResults(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "BenchmarkX/lock=std 1 1 ns/op\n"
	writeFile(t, "r.txt", text)
	link(t, "r.txt", "r.html")
	f := &runFlags{results: "r.txt", page: "r.html"}
	f.Confidence = 0.95
	var out strings.Builder
	err := f.conclude(&env{stdout: &out, stderr: &out}, formats[0].write, measured(text), nil)
	if err == nil || !strings.Contains(err.Error(), "want two files") || readFile(t, "r.txt") != text {
		t.Errorf("error %v, results %q", err, readFile(t, "r.txt"))
	}
	if !strings.Contains(out.String(), "sec/op") {
		t.Error("the tables are not shown")
	}
}

func measured(text string) measure.Outcome {
	return measure.Outcome{Text: []byte(text), Results: 1, Total: 1}
}
