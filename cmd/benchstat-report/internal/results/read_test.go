// SPDX-License-Identifier: BSD-3-Clause

package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

const good = "BenchmarkA/lock=std 10 5 ns/op 7 acq/s\n"

// read reads text as a file called in.txt and returns the values as strings.
func read(t *testing.T, text string) (values []string, out *Outcome, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.txt")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err = Read(Source{Inputs: Args([]string{"in.txt=" + path})}, func(r *benchfmt.Result) error {
		for _, v := range r.Values {
			values = append(values, fmt.Sprintf("%s %.4g %s", r.Name, v.Value, v.Unit))
		}
		return nil
	})
	return values, out, err
}

// R1: a file that cannot be used at all.
func TestUnusable(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "empty file; want benchmark results"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", "binary file (byte 0 at offset 7); want text"},
		{"utf16", "\xff\xfeB\x00e\x00", "UTF-16 text; want UTF-8"},
		{"prose", "hello\nworld\n", "no benchmark results; want lines like"},
		{"json", `{"a": 1}` + "\n", "no benchmark results"},
		{"onlykeys", "goos: linux\nUnit x better=lower\n", "no benchmark results"},
		{"onlybad", "goos: linux\nBenchmarkA x 5 ns/op\n", ":2: parsing iteration count: invalid syntax; want \"BenchmarkName"},
		{"longline", strings.Repeat("x", 1<<17), ":1: line of more than 65535 bytes; want one result a line"},
		{"bom", "\xef\xbb\xbf", "empty file; want benchmark results"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := read(t, c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "in.txt") {
				t.Errorf("error %v, want the file's name and %q", err, c.want)
			}
		})
	}
	for path, want := range map[string]string{
		dir:                           "is a directory; want a file",
		filepath.Join(dir, "missing"): "; want a file of benchmark results",
	} {
		_, err := Read(Source{Inputs: Args([]string{path})}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), path) != 1 {
			t.Errorf("error %v, want the path once and %q", err, want)
		}
	}
}

// R2: a bad line is left out and named, its neighbours stay.
func TestBadLines(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"BenchmarkA ten 5 ns/op", "parsing iteration count"},
		{"BenchmarkA 10 five ns/op", "parsing measurement"},
		{"BenchmarkA 10 5", "missing units"},
		{"BenchmarkA 10", "missing measurements"},
		{"BenchmarkA 0 5 ns/op", "0 iterations: nothing was measured; want at least 1"},
		{"BenchmarkA 10 NaN ns/op", "value NaN of"},
		{"BenchmarkA 10 +Inf acq/s", "value +Inf of acq/s; want a finite number"},
		{"BenchmarkA 10 5 ns/op 6 ns/op", "unit sec/op twice in one line; want each unit once"},
		{"BenchmarkA 10 5 ns/op 0 sec/op", "unit sec/op twice"},
		{"BenchmarkA 10 5 ns/op " + strings.Repeat("x", 1<<17), "line of more than 65535 bytes"},
		{"x" + strings.Repeat("-", maxLine-1), "line of more than 65535 bytes"},
		{strings.Repeat("-", 2*sniffLen) + "\x00", "byte 0 in the line; want text"},
		{"Unit acq/s better", `want "Unit name key=value"`},
		{"Unit", `missing unit; want "Unit name key=value"`},
	} {
		values, out, err := read(t, good+c.line+"\n"+good)
		if err != nil || len(values) != 4 || out.Results != 2 {
			t.Errorf("%q: values %q, error %v; want both neighbours", c.line, values, err)
			continue
		}
		if len(out.Problems) != 1 || out.Problems[0].Line != 2 || !strings.Contains(out.Problems[0].Error(), c.want) {
			t.Errorf("%q: problems %v, want one at line 2 with %q", c.line, out.Problems, c.want)
		}
	}
	_, out, err := read(t, "Unit acq/s better=higher\nUnit acq/s better=lower\n"+good)
	if err != nil || len(out.Problems) != 1 || !strings.Contains(out.Problems[0].Msg, "want one meaning per unit") {
		t.Errorf("contradicting units: problems %v, error %v", out, err)
	}
}

// The longest line that is read, with and without an end, and where problems of both
// kinds stand in one file.
func TestLongLines(t *testing.T) {
	longest := good + "BenchmarkB" + strings.Repeat("x", maxLine-1-len("BenchmarkB 1 5 acq/s")) + " 1 5 acq/s"
	for _, end := range []string{"", "\n"} {
		if values, out, err := read(t, longest+end); err != nil || len(values) != 3 || len(out.Problems) != 0 {
			t.Errorf("end %q: %d values, problems %v, error %v", end, len(values), out.Problems, err)
		}
	}
	_, out, err := read(t, good+"BenchmarkA x\n"+strings.Repeat("y", 1<<20)+"\n"+good+strings.Repeat("z", 1<<17))
	if err != nil || len(out.Problems) != 3 || out.Problems[0].Line != 2 || out.Problems[1].Line != 3 || out.Problems[2].Line != 5 || out.Results != 2 {
		t.Errorf("problems %v, error %v; want lines 2, 3 and 5", out.Problems, err)
	}
}

// A byte order mark hides neither a result nor a key, wherever files were joined.
func TestByteOrderMark(t *testing.T) {
	const mark = "\xef\xbb\xbf"
	if values, out, err := read(t, mark+good+mark+good); err != nil || len(values) != 4 || len(out.Problems) != 0 {
		t.Errorf("values %q, error %v; want both lines", values, err)
	}
}

// R3: every way to cut the last line is noticed.
func TestCutOff(t *testing.T) {
	const head = "Unit acq/s better=higher\n"
	whole := map[string]bool{
		strings.TrimSuffix(good, "\n"): true, good: true,
	}
	for i := range len(good) + 1 {
		cut := good[:i]
		if i < len("BenchmarkA/lock=std ") { // the name alone is what go test -v prints
			continue
		}
		_, out, err := read(t, head+good+cut)
		if err != nil {
			t.Fatal(err)
		}
		wantProblem := !whole[cut]
		if (len(out.Problems) == 1) != wantProblem {
			t.Errorf("cut to %q: problems %v, want one: %v", cut, out.Problems, wantProblem)
		}
		if wantProblem && (out.Results != 1 || out.Problems[0].Line != 3 || !strings.Contains(out.Problems[0].Msg, "cut off")) {
			t.Errorf("cut to %q: %d results, problem %v", cut, out.Results, out.Problems[0])
		}
	}
}

// A file that was edited by hand may lack the last end of line.
func TestNoFinalNewline(t *testing.T) {
	values, out, err := read(t, strings.TrimSuffix(good, "\n"))
	if err != nil || len(values) != 2 || len(out.Problems) != 0 {
		t.Errorf("values %q, problems %v, error %v", values, out.Problems, err)
	}
}

// R4: a zero is tidied like any other value.
func TestTidyZero(t *testing.T) {
	values, _, err := read(t, "BenchmarkA 10 0 ns/op 0 p99-ns 0 acq/s 3 B/op\n")
	want := "[A 0 sec/op A 0 p99-sec A 0 acq/s A 3 B/op]"
	if err != nil || fmt.Sprint(values) != want {
		t.Errorf("values %v, error %v, want %s", values, err, want)
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a b", "[{a a} {b b}]"},
		{"a a", "[{a a#0} {a a#1}]"},
		{"new=a a", "[{a new} {a a}]"},
		{"-", "[{- -}]"},
	} {
		if got := fmt.Sprint(Args(strings.Fields(c.in))); got != c.want {
			t.Errorf("Args(%s) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestStdin(t *testing.T) {
	n := 0
	_, err := Read(Source{Inputs: Args([]string{"-"}), Stdin: strings.NewReader(good)}, func(*benchfmt.Result) error { n++; return nil })
	if err != nil || n != 1 {
		t.Errorf("%d results, error %v", n, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("Unit a b=c\nBenchmarkA 1 0 ns/op"))
	f.Add([]byte("\x00\x01"))
	f.Fuzz(func(t *testing.T, text []byte) {
		out, err := Read(Source{Inputs: Args([]string{"-"}), Stdin: strings.NewReader(string(text))}, func(r *benchfmt.Result) error {
			if len(r.Values) == 0 || r.Iters <= 0 {
				t.Errorf("delivered %v", r)
			}
			return nil
		})
		if err == nil && out.Results == 0 {
			t.Error("no error and no results")
		}
	})
}
