// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/results"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/stats"
)

// build makes a report of text, as one file.
func build(t *testing.T, text string, opts Options) (*Report, error) {
	t.Helper()
	if opts.Confidence == 0 {
		opts.Confidence = 0.95
	}
	b, err := NewBuilder(opts)
	if err != nil {
		return nil, err
	}
	out, err := results.Read(results.Source{Inputs: results.Args([]string{"f=-"}), Stdin: strings.NewReader(text)}, b.Add)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Problems) > 0 {
		t.Fatal(out.Problems[0])
	}
	return b.Report(out.Units)
}

func must(t *testing.T, text string, opts Options) *Report {
	t.Helper()
	rep, err := build(t, text, opts)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// lines writes n results of each lock in turns, values from f.
func lines(n int, unit string, f func(lock string, i int) float64, locks ...string) string {
	var b strings.Builder
	for i := range n {
		for _, l := range locks {
			fmt.Fprintf(&b, "BenchmarkG/lock=%s/goroutines=2 1 %v %s\n", l, f(l, i), unit)
		}
	}
	return b.String()
}

func TestPairsWithinFile(t *testing.T) {
	// The drift makes unpaired samples overlap; only pairs see the factor.
	drift := func(lock string, i int) float64 {
		if lock == "std" {
			return float64(10 + i)
		}
		return 1.1 * float64(10+i)
	}
	c := must(t, lines(8, "acq/s", drift, "std", "turnstile"), Options{}).Groups[0].Tables[0].Rows[0].Cell("turnstile")
	if c.Ratio.Method != stats.MethodPaired || c.Ratio.N != 8 || math.Abs(c.Ratio.Center-1.1) > 1e-9 || c.Verdict != stats.Better {
		t.Errorf("in turns: %+v %v", c.Ratio, c.Verdict)
	}
	after := lines(8, "acq/s", drift, "std") + lines(8, "acq/s", drift, "turnstile")
	c = must(t, after, Options{}).Groups[0].Tables[0].Rows[0].Cell("turnstile")
	if c.Ratio.Method != stats.MethodUnpaired || c.Verdict != stats.Unknown {
		t.Errorf("one after the other: %+v %v", c.Ratio, c.Verdict)
	}
}

// G1 over files: samples pool, pairs do not cross.
func TestPoolsFiles(t *testing.T) {
	b, err := NewBuilder(Options{Confidence: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	for k, scale := range []float64{1, 100} {
		text := "cpu: x\npause-ns: " + fmt.Sprint(k) + "\n" + lines(4, "acq/s", func(lock string, i int) float64 {
			if lock == "std" {
				return scale
			}
			return 2 * scale
		}, "std", "turnstile")
		if _, err := results.Read(results.Source{Inputs: results.Args([]string{fmt.Sprintf("f%d=-", k)}), Stdin: strings.NewReader(text)}, b.Add); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := b.Report(nil)
	if err != nil || len(rep.Groups) != 1 {
		t.Fatalf("%d groups, error %v, want 1: pause-ns must not split", len(rep.Groups), err)
	}
	g := rep.Groups[0]
	c := g.Tables[0].Rows[0].Cell("turnstile")
	if c.N != 8 || c.Ratio.N != 8 || c.Ratio.Lo != 2 || c.Ratio.Hi != 2 || fmt.Sprint(g.Fact("pause-ns"), g.Files) != "[0 1] [f0 f1]" {
		t.Errorf("%+v %+v %v %v", c, c.Ratio, g.Fact("pause-ns"), g.Files)
	}
}

func TestGroupsByMachine(t *testing.T) {
	one := lines(1, "acq/s", func(string, int) float64 { return 1 }, "std", "turnstile")
	text := "cpu: a\n" + one + "cpu: b\n" + one + "\nspin2-ratio: 1.1\n" + one
	rep := must(t, text, Options{})
	if len(rep.Groups) != 2 || rep.Groups[0].Fact("cpu")[0] != "a" || rep.Groups[1].Tables[0].Rows[0].Cells[0].N != 2 {
		t.Errorf("%d groups, want 2", len(rep.Groups))
	}
	if rep := must(t, text, Options{Ignore: "cpu"}); len(rep.Groups) != 1 {
		t.Errorf("%d groups with -ignore cpu, want 1", len(rep.Groups))
	}
}

func TestBase(t *testing.T) {
	text := lines(2, "acq/s", func(string, int) float64 { return 1 }, "chan", "ticket", "std")
	for base, want := range map[string]string{"": "[std chan ticket]", "ticket": "[ticket chan std]"} {
		g := must(t, text, Options{Base: base}).Groups[0]
		if got := fmt.Sprint(g.Locks); got != want || g.Base != g.Locks[0] {
			t.Errorf("-base %q: locks %s, want %s", base, got, want)
		}
	}
	if _, err := build(t, text, Options{Base: "mcs"}); err == nil || !strings.Contains(err.Error(), "-base mcs: no such lock in f; want one of chan ticket std") {
		t.Errorf("error %v", err)
	}
	g := must(t, lines(1, "acq/s", func(string, int) float64 { return 1 }, "chan", "ticket"), Options{}).Groups[0]
	if g.Base != "chan" {
		t.Errorf("without std the base is %s, want the first", g.Base)
	}
}

func TestOptionErrors(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Confidence: 1}, "-confidence 1: want a number between 0 and 1"},
		{Options{Confidence: math.NaN()}, "-confidence NaN"},
		{Options{Confidence: 0.9, Filter: "a:("}, `-filter "a:("`},
		{Options{Confidence: 0.9, Ignore: "a@("}, `-ignore "a@("`},
	} {
		if _, err := NewBuilder(c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.opts, err, c.want)
		}
	}
}

// G2: loads measured for one lock only keep their rows, and zeros their table.
func TestNothingDropped(t *testing.T) {
	text := lines(6, "p99-ns", func(lock string, i int) float64 { return float64(i % 2) }, "std", "turnstile") +
		"BenchmarkG/lock=std/goroutines=8 1 5 p99-ns\nBenchmarkG/lock=turnstile/goroutines=9 1 0 p99-ns\n"
	g := must(t, text, Options{}).Groups[0]
	if len(g.Tables) != 1 || g.Tables[0].Unit != "p99-sec" || len(g.Tables[0].Rows) != 3 {
		t.Fatalf("%d tables, want one with 3 rows", len(g.Tables))
	}
	tab := g.Tables[0]
	if m := tab.Means["turnstile"]; m.Rows != 1 || m.Of != 3 || m.Ratio != 1 {
		t.Errorf("geomean %+v, want 1 over 1 of 3", m)
	}
	if n := tab.Count("turnstile"); n.Unknown != 2 {
		t.Errorf("count %+v, want two rows of turnstile unknown", n)
	}
	if c := tab.Rows[2].Cell("turnstile"); c == nil || c.Center != 0 || c.Ratio != nil {
		t.Errorf("row without std: %+v", c)
	}
}

func TestNames(t *testing.T) {
	for full, want := range map[string]string{
		"G/lock=*/goroutines=4/hold=50ns-2": "G/goroutines=4/hold=50ns-2",
		"G/lock=*":                          "G",
		"G/sub/lock=*/a=b":                  "G/sub/a=b",
		"G-8":                               "G-8",
	} {
		if got := parseName(full).String(); got != want {
			t.Errorf("parseName(%s) = %s, want %s", full, got, want)
		}
	}
}

func TestKeyColumns(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"BenchmarkG/lock=a/n=1-2 1 1 x\nBenchmarkG/lock=a/n=2-2 1 1 x\n", "[n]"},
		{"BenchmarkG/lock=a/n=1-2 1 1 x\nBenchmarkH/lock=a/n=1-4 1 1 x\n", "[benchmark n gomaxprocs]"},
		{"BenchmarkG/lock=a-2 1 1 x\n", "[benchmark]"},
		{"BenchmarkG 1 1 x\n", "[benchmark]"},
	} {
		g := must(t, c.text, Options{}).Groups[0]
		if got := fmt.Sprint(g.Tables[0].Keys); got != c.want {
			t.Errorf("%q: key columns %s, want %s", c.text, got, c.want)
		}
	}
	g := must(t, "BenchmarkG 1 1 x\n", Options{}).Groups[0]
	if g.Locks[0] != NoLock || len(g.Locks) != 1 {
		t.Errorf("locks %v", g.Locks)
	}
}

func TestBetter(t *testing.T) {
	text := "Unit odd/s better=lower\nUnit unsaid better=neither\nBenchmarkG 1 1 odd/s 1 unsaid 1 acq/s 1 ns/op 1 p99-ns 1 contention-ns/op 1 things\n"
	want := map[string]int{"odd/s": -1, "unsaid": 0, "acq/s": 1, "sec/op": -1, "p99-sec": -1, "contention-sec/op": -1, "things": 0}
	for _, tab := range must(t, text, Options{}).Groups[0].Tables {
		if tab.Better != want[tab.Unit] {
			t.Errorf("%s: better %d, want %d", tab.Unit, tab.Better, want[tab.Unit])
		}
	}
}
