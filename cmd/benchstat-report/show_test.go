// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestShowGolden(t *testing.T) {
	const drawn = "-filter=.unit:(acq/s OR p50-ns OR p99-ns OR p999-ns OR max-ns)"
	for _, c := range []struct {
		golden string
		args   []string
	}{
		{"recorded.text.golden", []string{"-all", "recorded.txt"}},
		{"simulated.text.golden", []string{"simulated.txt"}},
		{"both.csv.golden", []string{"-format=csv", "-filter=.unit:acq/s", "simulated.txt", "recorded.txt"}},
		{"simulated.json.golden", []string{"-format=json", "-filter=.unit:parks/op", "simulated.txt"}},
		{"both.markdown.golden", []string{"-format=markdown", "-filter=.unit:max-ns", "recorded.txt", "simulated.txt"}},
		{"both.html.golden", []string{"-format=html", drawn, "recorded.txt", "simulated.txt"}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			e := run(t, append([]string{"show"}, c.args...)...)
			if e.status != 0 || e.stderr != "" {
				t.Fatalf("exit status %d: %s", e.status, e.stderr)
			}
			golden(t, c.golden, e.stdout)
		})
	}
}

// Text has three tables and says in one line what else there is; the conclusion is
// the last line. A file without those units has all its tables.
func TestShowBrief(t *testing.T) {
	for _, format := range []string{"text", "markdown"} {
		e := run(t, "show", "-format", format, "recorded.txt")
		if n := strings.Count(e.stdout, " is better)"); n != 3 || !strings.Contains(e.stdout, "\n6 more with -all: sec/op, contention-sec/op, p50-sec, p99-sec, jain, minmax.\n") {
			t.Errorf("%s: %d tables, want 3 and the names of the others", format, n)
		}
		lines := strings.Split(strings.TrimSpace(e.stdout), "\n")
		const want = "turnstile against std: throughput better in 0, worse in 1, unknown in 5 of 6 rows; 99.9th percentile of the wait better in 2"
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, want) {
			t.Errorf("%s ends %q", format, last)
		}
		if all := run(t, "show", "-all", "-format", format, "recorded.txt").stdout; strings.Count(all, " is better)") != 9 || strings.Contains(all, "-all") {
			t.Errorf("%s -all does not have all tables", format)
		}
	}
	if e := run(t, "show", "-filter=.unit:(ns/op OR p50-ns)", "recorded.txt"); strings.Count(e.stdout, " is better)") != 2 || strings.Contains(e.stdout, "-all") {
		t.Errorf("a file without throughput and tails lacks tables:\n%s", e.stdout)
	}
}

// A file of go test on this machine and one of this command make one group: keys
// padded with blanks, another package, and what differs from run to run do not split.
func TestShowGroups(t *testing.T) {
	dir := t.TempDir()
	ours := readFile(t, "testdata/recorded.txt")
	theirs := strings.NewReplacer("pkg: github.com/turnstile-go/turnstile/lockbench", "pkg: example.com/mine",
		"Turin-like Processor", "Turin-like Processor            ", "pause-ns: 18\n", "pause-ns: 19\nlost: 5\n",
		"BenchmarkGrid", "BenchmarkMine").Replace(ours)
	ours = "date: 2026-01-02T03:04:05Z\nsuite: quick\ncell: 80ms\nsamples: 10\nversion: v0.1.0\ncommit: abc\nlost: 0\n" + ours
	e := run(t, "show", writeFile(t, filepath.Join(dir, "a.txt"), ours), writeFile(t, filepath.Join(dir, "b.txt"), theirs))
	if n := strings.Count(e.stdout, "\ntwo spinners") + strings.Count(e.stdout[:12], "two spinners"); n != 1 || !strings.Contains(e.stdout, "of 12 rows") {
		t.Errorf("%d groups, want 1; standard error %q", n, e.stderr)
	}
}

// Programs can read what is meant for them.
func TestMachineFormats(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(run(t, "show", "-format", "csv", "simulated.txt").stdout)).ReadAll()
	if err != nil || len(rows) < 100 || len(rows[0]) != 21 {
		t.Errorf("csv: %d rows, error %v", len(rows), err)
	}
	var v struct {
		Groups []struct{ Tables []struct{ Rows []any } }
	}
	err = json.Unmarshal([]byte(run(t, "show", "-format", "json", "simulated.txt", "recorded.txt").stdout), &v)
	if err != nil || len(v.Groups) != 2 || len(v.Groups[0].Tables[0].Rows) != 5 {
		t.Errorf("json: %+v, error %v", v, err)
	}
}

// The page loads nothing, has no script, and everything that names something by id
// finds it; each picture stands in a pair with a table.
func TestPage(t *testing.T) {
	page := run(t, "show", "-format", "html", "recorded.txt", "simulated.txt").stdout
	if m := regexp.MustCompile(`(?i)https?:|//[a-z]|<script|<link|<img|url\(|@import|src=`).FindAllString(page, -1); m != nil {
		t.Errorf("the page refers to something outside: %q", m)
	}
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		ids[m[1]]++
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("id %s is given %d times", id, n)
		}
	}
	for _, m := range regexp.MustCompile(`(?:href="#|aria-labelledby=")([^"]+)"`).FindAllStringSubmatch(page, -1) {
		for _, id := range strings.Fields(m[1]) {
			if ids[id] == 0 {
				t.Errorf("nothing has the id %s", id)
			}
		}
	}
	for what, n := range map[string]int{
		"<svg ": 4, `class="pair"`: 4, "<title>": -1, "prefers-color-scheme: dark": 1, "@media print": 1, `lang="en"`: 1,
		"Example CPU 9000 &amp; Sons &lt;64 cores&gt;": -1,
	} {
		if got := strings.Count(page, what); got != n && (n >= 0 || got == 0) {
			t.Errorf("%d times %q, want %d", got, what, n)
		}
	}
	if tables, captions := strings.Count(page, "<table"), strings.Count(page, "<caption"); tables != captions || tables == 0 {
		t.Errorf("%d tables, %d captions", tables, captions)
	}
	balanced(t, page)
}

// balanced checks that elements are closed in the order opened.
func balanced(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict = false
	d.AutoClose = []string{"meta", "!DOCTYPE"}
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Errorf("markup: %v", err)
			return
		}
	}
}

func TestShowBadInput(t *testing.T) {
	dir := t.TempDir()
	recorded := readFile(t, "testdata/recorded.txt")
	lines := strings.Count(recorded, "\n")
	file := func(name, text string) string { return writeFile(t, filepath.Join(dir, name), text) }
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"missing", []string{filepath.Join(dir, "none.txt")}, []string{"none.txt"}},
		{"empty", []string{file("empty.txt", "")}, []string{"empty.txt: empty file"}},
		{"binary", []string{file("prog", "\x7fELF\x02\x01\x01\x00")}, []string{"prog: binary file"}},
		{"wrong format", []string{file("x.json", "{}\n")}, []string{"x.json: no benchmark results"}},
		{"directory", []string{dir}, []string{"is a directory"}},
		{"good and missing", []string{"recorded.txt", filepath.Join(dir, "none.txt")}, []string{"none.txt"}},
		{"no files", nil, []string{"show: no files"}},
		{"filter", []string{"-filter", "(", "recorded.txt"}, []string{`-filter "("`}},
		{"confidence", []string{"-confidence", "95", "recorded.txt"}, []string{"-confidence 95"}},
		{"base", []string{"-base", "mcs", "recorded.txt"}, []string{"-base mcs", "std turnstile"}},
		{"format", []string{"-format", "xml", "recorded.txt"}, []string{`-format "xml"`, "text, csv, json, markdown, html"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := run(t, append([]string{"show"}, c.args...)...)
			e.oneLineError(t, 2, c.want...)
			if e.stdout != "" {
				t.Errorf("standard output: %q", e.stdout)
			}
		})
	}
	t.Run("filter matches nothing", func(t *testing.T) {
		e := run(t, "show", "-filter", "/goroutines:3", "recorded.txt")
		if e.status != 2 || !strings.Contains(e.stderr, `-filter "/goroutines:3": matches none of`) || strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("exit status %d: %q", e.status, e.stderr)
		}
	})
	t.Run("truncated", func(t *testing.T) {
		path := file("cut.txt", recorded[:len(recorded)-15])
		e := run(t, "show", path)
		e.oneLineError(t, 2, "cut.txt:"+itoa(lines)+": line cut off", "the other lines are shown")
		if !strings.Contains(e.stdout, "acq/s") {
			t.Errorf("the lines before the cut are not shown: %q", e.stdout)
		}
	})
	t.Run("bad lines", func(t *testing.T) {
		path := file("bad.txt", recorded+"BenchmarkX 1 ouch ns/op\nBenchmarkX 1 1\n")
		e := run(t, "show", path)
		e.oneLineError(t, 2, "bad.txt:"+itoa(lines+1), "(and 1 more such line")
		if !strings.Contains(e.stdout, "acq/s") {
			t.Error("the good lines are not shown")
		}
	})
}

func itoa(n int) string {
	var b []byte
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}

func TestShowOutput(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.html")
	if e := run(t, "show", "recorded.txt", "-o", out, "-format=html"); e.status != 0 || e.stdout != "" || e.stderr != "" {
		t.Errorf("flags after the file: %+v", e)
	}
	if !strings.HasPrefix(readFile(t, out), "<!DOCTYPE html>") {
		t.Error("no page was written")
	}
	run(t, "show", "-o", filepath.Join(dir, "no", "such", "dir"), "recorded.txt").oneLineError(t, 1, "cannot write")
	if e := run(t, "show", "--", "-x"); e.status != 2 || !strings.Contains(e.stderr, "-x: ") {
		t.Errorf("after -- a name may begin with -: %+v", e)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		e := run(t, "show", "-o", "/dev/full", "recorded.txt")
		e.oneLineError(t, 1, "cannot write /dev/full")
	}
}

func TestShowStdin(t *testing.T) {
	cmd := commandIn(t, "testdata", "show", "-")
	cmd.Stdin = strings.NewReader("BenchmarkA 1 2 ns/op\n")
	e := finish(t, cmd)
	if e.status != 0 || !strings.Contains(e.stdout, "nothing to compare") {
		t.Errorf("%+v", e)
	}
}
