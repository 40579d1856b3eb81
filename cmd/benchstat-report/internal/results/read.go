// SPDX-License-Identifier: BSD-3-Clause

package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// A Problem is one line of input that was left out.
type Problem struct {
	File string
	Line int
	Msg  string
}

// Error is "file:line: message".
func (p *Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Msg) }

// A Source is the input of one Read.
type Source struct {
	Inputs []Input
	Stdin  io.Reader // what the path "-" reads
}

// Outcome is what a Read met beside the results.
type Outcome struct {
	Units    benchfmt.UnitMetadataMap
	Problems []*Problem
	Results  int
}

// Read calls each for every result of every file, in order. The result is reused
// after the call; its ".file" key holds the label. An error ends the reading: the
// file cannot be used at all, or each returned it.
func Read(src Source, each func(*benchfmt.Result) error) (*Outcome, error) {
	r := &reader{each: each, known: make(map[string]bool)}
	for _, in := range src.Inputs {
		if err := r.file(in, src.Stdin); err != nil {
			return nil, err
		}
	}
	r.out.Units = r.fmt.Units()
	return &r.out, nil
}

type reader struct {
	fmt   benchfmt.Reader
	each  func(*benchfmt.Result) error
	known map[string]bool // units seen so far, tidied
	units []string        // of the result before
	out   Outcome
}

// file reads one input to its end.
func (r *reader) file(in Input, stdin io.Reader) error {
	src, err := in.open(stdin)
	if err != nil {
		return err
	}
	defer src.Close()
	t := newTail(src)
	if err := t.sniff(in.Path); err != nil {
		return err
	}
	before := r.out.Results
	t.problem = func(line int, msg string) { r.problem(in.Path, line, msg) }
	r.fmt.Reset(t, in.Path, ".file", in.Label)
	for r.fmt.Scan() {
		if err := r.record(t); err != nil {
			return err
		}
	}
	if err := r.fmt.Err(); err != nil {
		return fmt.Errorf("%w; want text in the Go benchmark format", err)
	}
	if r.out.Results == before {
		return r.nothing(in.Path)
	}
	return nil
}

// nothing is the error for a file without a single result.
func (r *reader) nothing(path string) error {
	for _, p := range r.out.Problems {
		if p.File == path {
			return p // the first bad line says more than "no results"
		}
	}
	return fmt.Errorf("%s: no benchmark results; want lines like \"BenchmarkName 100 12.5 ns/op\", as go test -bench and benchstat-report run write them", path)
}

// record handles what the last Scan found.
func (r *reader) record(t *tail) error {
	switch rec := r.fmt.Result().(type) {
	case *benchfmt.SyntaxError:
		r.problem(rec.FileName, rec.Line, t.explain(rec.Line, rec.Msg))
	case *benchfmt.Result:
		tidy(rec)
		trim(rec)
		file, line := rec.Pos()
		if msg := r.check(rec, t.cut(line)); msg != "" {
			r.problem(file, line, msg)
			return nil
		}
		r.units = r.units[:0]
		for _, v := range rec.Values {
			r.known[v.Unit] = true
			r.units = append(r.units, v.Unit)
		}
		r.out.Results++
		return r.each(rec)
	}
	return nil
}

func (r *reader) problem(file string, line int, msg string) {
	r.out.Problems = append(r.out.Problems, &Problem{file, line, msg})
}

// check says what is wrong with a result that benchfmt could parse, or "".
func (r *reader) check(rec *benchfmt.Result, cut bool) string {
	last := rec.Values[len(rec.Values)-1].Unit
	if cut && (!r.knows(last) || r.shorter(rec)) {
		return fmt.Sprintf("line cut off after %q; want a whole line with an end of line", last)
	}
	if rec.Iters <= 0 {
		return fmt.Sprintf("%d iterations: nothing was measured; want at least 1", rec.Iters)
	}
	for i, v := range rec.Values {
		if slices.ContainsFunc(rec.Values[:i], func(o benchfmt.Value) bool { return o.Unit == v.Unit }) {
			return fmt.Sprintf("unit %s twice in one line; want each unit once", v.Unit)
		}
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Sprintf("value %v of %s; want a finite number", v.Value, v.Unit)
		}
	}
	return ""
}

// knows reports whether unit can be a whole one: seen in an earlier result or
// named by a Unit line, or nothing is known yet to judge by.
func (r *reader) knows(unit string) bool {
	if len(r.known) == 0 && len(r.fmt.Units()) == 0 {
		return true
	}
	return r.known[unit] || r.fmt.Units().Get(unit, "better") != nil || r.fmt.Units().Get(unit, "assume") != nil
}

// shorter reports whether rec has the first units of the result before, but not all.
func (r *reader) shorter(rec *benchfmt.Result) bool {
	for i, v := range rec.Values {
		if i >= len(r.units) || v.Unit != r.units[i] {
			return false
		}
	}
	return len(rec.Values) < len(r.units)
}

// tidy gives every value the base unit, whatever its value (R4).
func tidy(rec *benchfmt.Result) {
	for i := range rec.Values {
		v := &rec.Values[i]
		if v.OrigUnit != "" {
			continue
		}
		value, unit := benchunit.Tidy(v.Value, v.Unit)
		if unit != v.Unit {
			*v = benchfmt.Value{Value: value, Unit: unit, OrigValue: v.Value, OrigUnit: v.Unit}
		}
	}
}

// trim takes the blanks out that a key's value was padded with. Two writers of one
// machine would make two of it otherwise: go test prints a processor's name as the
// processor stores it, filled up to a fixed length.
func trim(rec *benchfmt.Result) {
	for i := range rec.Config {
		if c := &rec.Config[i]; c.File {
			c.Value = append(c.Value[:0], bytes.Join(bytes.Fields(c.Value), []byte(" "))...)
		}
	}
}

// An Input is one file: where it is, and what its results are called.
type Input struct{ Path, Label string }

// Args takes arguments apart that are spelled as benchstat's: a file name,
// label=path to choose what the file is called, or "-" for standard input. A path
// given twice gets two labels, or its results would count as samples of one run.
func Args(args []string) []Input {
	count, seen := make(map[string]int), make(map[string]int)
	var ins []Input
	for _, arg := range args {
		in := Input{Path: arg}
		if label, path, ok := strings.Cut(arg, "="); ok {
			in = Input{Path: path, Label: label}
		} else {
			count[arg]++
		}
		ins = append(ins, in)
	}
	for i := range ins {
		if in := &ins[i]; in.Label == "" {
			in.Label = in.Path
			if count[in.Path] > 1 {
				in.Label = fmt.Sprintf("%s#%d", in.Path, seen[in.Path])
				seen[in.Path]++
			}
		}
	}
	return ins
}

// open opens the input, and says in one line why it cannot.
func (in Input) open(stdin io.Reader) (io.ReadCloser, error) {
	if in.Path == "-" {
		return io.NopCloser(stdin), nil
	}
	info, err := os.Stat(in.Path)
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a directory; want a file of benchmark results", in.Path)
	}
	f, err := os.Open(in.Path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w; want a file of benchmark results", in.Path, err)
	}
	return f, nil
}
