// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/results"
)

var showCommand = &command{
	name:  "show",
	args:  "FILE...",
	about: "show the tables, or the page, of recorded results",
	help: `Show reads files in the Go benchmark format, as benchstat-report run and
go test -bench write them, and prints a table for each unit: every lock against
the base, with a ratio, its confidence interval and a verdict. Text and markdown
have the tables of throughput, of the 99.9th percentile and of the longest wait;
all of them with -all, and always in the other formats. Files of different machines
get tables of their own. FILE may be label=path, or - for standard input.

A line that cannot be used is named on standard error, the rest is shown, and the
exit status is 2.`,
}

func init() { showCommand.run = runShow }

// analysis holds the flags that choose what is compared.
type analysis struct{ report.Options }

func (a *analysis) register(fs *flag.FlagSet) {
	fs.StringVar(&a.Filter, "filter", "*", "use only benchmarks that match benchfilter `query`")
	fs.StringVar(&a.Ignore, "ignore", "", "do not split tables by these file `keys`, beside "+report.DefaultIgnore)
	fs.StringVar(&a.Base, "base", "", "divide by this `lock` (default std, or the first in the file)")
	fs.BoolVar(&a.All, "all", false, "print the tables of all units, not only of throughput, 99.9th percentile and longest wait")
	fs.Float64Var(&a.Confidence, "confidence", 0.95, "confidence `level` of the intervals")
}

func runShow(e *env, args []string) error {
	fs := showCommand.flags()
	var a analysis
	a.register(fs)
	format := fs.String("format", "text", "write `format`: "+formatNames())
	out := fs.String("o", "", "write to `file`, which must not be one of the inputs (default, and -, standard output)")
	paths, err := showCommand.parse(e, fs, args)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return unusablef("show: no files; want benchstat-report show FILE...")
	}
	render, err := formatByName(*format)
	if err != nil {
		return err
	}
	ins := results.Args(paths)
	if *out != "" && *out != "-" {
		if err := overwrites(*out, ins, e.stdin); err != nil {
			return err
		}
		if err := writable(*out); err != nil {
			return err
		}
	}
	rep, problems, err := load(ins, e.stdin, a.Options)
	if err != nil {
		return err
	}
	if err := emit(e, *out, render, rep); err != nil {
		return err
	}
	return complain(e, problems)
}

// load reads files into a report.
func load(ins []results.Input, stdin io.Reader, opts report.Options) (*report.Report, []*results.Problem, error) {
	b, err := report.NewBuilder(opts)
	if err != nil {
		return nil, nil, unusable(err)
	}
	out, err := results.Read(results.Source{Inputs: ins, Stdin: stdin}, b.Add)
	if err != nil {
		return nil, nil, unusable(err)
	}
	if b.Results() == 0 {
		return nil, nil, unusablef("-filter %q: matches none of %d results; see which names and units the files have", opts.Filter, out.Results)
	}
	rep, err := b.Report(out.Units)
	return rep, out.Problems, unusable(err)
}

// complain reports lines that were left out: the first of each file in full.
func complain(e *env, problems []*results.Problem) error {
	var last error
	for i := 0; i < len(problems); {
		j := i
		for j < len(problems) && problems[j].File == problems[i].File {
			j++
		}
		msg := problems[i].Error()
		if n := j - i - 1; n > 0 {
			msg += fmt.Sprintf(" (and %d more such line%s in this file)", n, plural(n))
		}
		if last != nil {
			fmt.Fprintf(e.stderr, "benchstat-report: %v\n", last)
		}
		last, i = fmt.Errorf("%s; the other lines are shown", msg), j
	}
	return unusable(last)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
