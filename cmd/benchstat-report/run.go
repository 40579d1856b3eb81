// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/measure"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/page"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/progress"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/render"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/results"
	"github.com/turnstile-go/turnstile/lockbench"
)

// Files that a run writes unless told otherwise.
const (
	defaultResults = "report.txt"
	defaultPage    = "report.html"
)

var runCommand = &command{
	name:  "run",
	about: "measure a suite on this machine and report it",
	help: `Run says what machine this is, measures every load of a suite with each lock, in
turns, prints the tables and a conclusion, and writes the page. Results go to the file of -o as they
are measured, in the Go benchmark format. Ctrl-C stops the run; what was measured
until then stays in the file and is shown, and the exit status is 130.`,
}

func init() { runCommand.run = runRun }

// runFlags are the flags of run.
type runFlags struct {
	analysis
	suite, locks, format string
	results, page        string
	samples              int
	cell                 time.Duration
	given                map[string]bool
}

func parseRun(e *env, args []string) (*runFlags, error) {
	f := new(runFlags)
	fs := runCommand.flags()
	fs.StringVar(&f.suite, "suite", "quick", "measure the suite called `name`: "+suiteNames())
	fs.StringVar(&f.locks, "locks", "", "measure these `locks`, separated by commas (default those of the suite): "+strings.Join(lockbench.LockNames(), ", "))
	fs.IntVar(&f.samples, "samples", 0, "take `n` samples of each load and lock (default that of the suite, 10)")
	fs.DurationVar(&f.cell, "d", 0, "measure each sample for this `duration` (default that of the suite)")
	fs.StringVar(&f.results, "o", defaultResults, "write the results to `file`; an older "+defaultResults+" is kept as "+previous(defaultResults)+", any other file is overwritten")
	fs.StringVar(&f.page, "html", defaultPage, "write the page to `file`, or none if empty")
	fs.StringVar(&f.format, "format", "text", "print the tables as `format`: "+formatNames())
	f.analysis.register(fs)
	rest, err := runCommand.parse(e, fs, args)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return nil, unusablef("run: argument %q; want flags only (show reads files)", rest[0])
	}
	f.given = make(map[string]bool)
	fs.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	return f, nil
}

func suiteNames() string {
	var names []string
	for _, s := range lockbench.Suites() {
		names = append(names, s.Name+" ("+s.Doc+")")
	}
	return strings.Join(names, ", ")
}

// plan turns the flags into a suite and its locks, or says what is wrong.
func (f *runFlags) plan() (s lockbench.Suite, locks []lockbench.Lock, err error) {
	if s, err = lockbench.SuiteByName(f.suite); err != nil {
		return s, nil, unusablef("-suite: %v", trimPkg(err))
	}
	if f.locks != "" {
		s.Locks = strings.Split(f.locks, ",")
	}
	if locks, err = lockbench.Locks(s.Locks...); err != nil {
		return s, nil, unusablef("-locks: %v", trimPkg(err))
	}
	for i, l := range s.Locks {
		if slices.Contains(s.Locks[:i], l) {
			return s, nil, unusablef("-locks: %s is named twice; want each lock once", l)
		}
	}
	if f.Base != "" && !slices.Contains(s.Locks, f.Base) {
		return s, nil, unusablef("-base %s: is not among the locks to be measured; want one of %s", f.Base, strings.Join(s.Locks, ", "))
	}
	err = f.size(&s)
	return s, locks, err
}

// Bounds of a run: what is more is a slip, and would overflow the time left.
const (
	maxSamples = 1_000_000
	maxRun     = 366 * 24 * time.Hour
)

// size sets how many samples are taken, and how long each is.
func (f *runFlags) size(s *lockbench.Suite) error {
	if f.given["samples"] {
		if s.Samples = f.samples; s.Samples < 1 || s.Samples > maxSamples {
			return unusablef("-samples %d: want 1 to %d; 6 for an interval at 95%%", f.samples, maxSamples)
		}
	}
	if f.given["d"] {
		if s.Cell = f.cell; s.Cell < time.Millisecond {
			return unusablef("-d %v: want a duration of 1ms or more, such as %v", f.cell, 80*time.Millisecond)
		}
	}
	// Every factor is 1 or more, so the division is not by zero.
	if n := int64(len(s.Loads)*len(s.Locks)) * int64(s.Samples); s.Cell > maxRun/time.Duration(n) {
		return unusablef("-samples %d and -d %v: %d samples in all would take more than a year; want less of either", s.Samples, s.Cell, n)
	}
	return nil
}

// trimPkg removes the package from an error that the flag's name introduces.
func trimPkg(err error) string { return strings.TrimPrefix(err.Error(), "lockbench: ") }

// check finds out what can be found out before anything is measured.
func (f *runFlags) check() (renderer, error) {
	tables, err := formatByName(f.format)
	if err != nil {
		return nil, err
	}
	if _, err := report.NewBuilder(f.Options); err != nil {
		return nil, unusable(err)
	}
	switch {
	case f.results == "":
		return nil, unusablef("-o: no file name; want a file for the results")
	case f.results == "-" || f.page == "-":
		return nil, unusablef("-: standard output is for the tables; want files for -o and -html")
	}
	if err := f.clash(); err != nil {
		return nil, err
	}
	for _, path := range []string{f.results, f.page} {
		if path == "" {
			continue
		}
		if err := writable(path); err != nil {
			return nil, err
		}
	}
	if f.format == "text" {
		tables = render.Tables // the machine was described before
	}
	return tables, nil
}

// clash is the error for a page that would overwrite results, under whatever name.
func (f *runFlags) clash() error {
	switch {
	case f.page == "":
	case sameFile(f.page, f.results):
		return unusablef("-o and -html are both %s; want two files", f.page)
	case f.rotates() && sameFile(f.page, previous(defaultResults)):
		return unusablef("-html %s: is where the older results are kept; want another file", f.page)
	}
	return nil
}

// rotates reports whether the results of the run before are kept.
func (f *runFlags) rotates() bool { return f.results == defaultResults && !f.given["o"] }

// rehearse finds out whether the results to come can be shown with these flags.
func (f *runFlags) rehearse(run *measure.Run) error {
	_, _, err := load([]results.Input{{Path: "-", Label: f.results}}, bytes.NewReader(run.Rehearsal()), f.Options)
	return err
}

func runRun(e *env, args []string) error {
	f, err := parseRun(e, args)
	if err != nil {
		return err
	}
	suite, locks, err := f.plan()
	if err != nil {
		return err
	}
	tables, err := f.check()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	host, err := measure.Survey(ctx)
	if err != nil {
		return f.ended(err, measure.Outcome{})
	}
	keys := append(host.Keys, measure.RunKeys(suite, time.Now())...)
	run := &measure.Run{Suite: suite, Locks: locks, Keys: keys, Create: f.create, Meter: progress.New(e.stderr, terminalWidth(e.stderr))}
	if err := f.rehearse(run); err != nil {
		return err
	}
	if f.format == "text" {
		if err := e.print(introduce(host, suite, locks)); err != nil {
			return err
		}
	}
	out, runErr := run.Do(ctx)
	return f.conclude(e, tables, out, runErr)
}

// create opens the results file, moving the last run's default one aside.
func (f *runFlags) create() (io.WriteCloser, error) {
	if f.rotates() {
		if info, err := os.Stat(defaultResults); err == nil && info.Size() > 0 {
			if err := os.Rename(defaultResults, previous(defaultResults)); err != nil {
				return nil, cannotWrite(defaultResults, err)
			}
		}
	}
	w, err := os.Create(f.results)
	if err != nil {
		return nil, cannotWrite(f.results, err)
	}
	return w, nil
}

// previous is what the results of the run before are called.
func previous(path string) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + ".prev" + ext
}

// conclude shows what was measured, whatever ended the run. The page goes first:
// a reader that closes the pipe early ends the process when the tables are written.
func (f *runFlags) conclude(e *env, tables renderer, out measure.Outcome, runErr error) error {
	if out.Results == 0 {
		return f.ended(runErr, out)
	}
	rep, problems, err := load([]results.Input{{Path: "-", Label: f.results}}, bytes.NewReader(out.Text), f.Options)
	if err != nil {
		return errors.Join(f.ended(runErr, out), err)
	}
	var pageErr error
	if f.page != "" {
		// Asked again: now that the results are there, so are all their names.
		if pageErr = f.clash(); pageErr == nil {
			pageErr = emit(e, f.page, page.Write, rep)
		}
	}
	if err := emit(e, "", tables, rep); err != nil {
		return err
	}
	if err := errors.Join(f.ended(runErr, out), pageErr); err != nil {
		return err
	}
	wrote := "wrote " + f.results
	if f.page != "" {
		wrote += " and " + f.page
	}
	fmt.Fprintln(e.stderr, wrote)
	return complain(e, problems)
}

// ended explains why a run ended early; nil stays nil.
func (f *runFlags) ended(err error, out measure.Outcome) error {
	var pe *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &pe):
		return fmt.Errorf("cannot write %s: %w; the %d of %d samples measured are shown above only", f.results, pe.Err, out.Results, out.Total)
	case !errors.Is(err, context.Canceled):
		return fmt.Errorf("%w; %d of %d samples were measured and are in %s", err, out.Results, out.Total, f.results)
	case out.Results == 0:
		return &failure{exitInterrupted, errors.New("interrupted before the first result; nothing was written")}
	}
	where := f.results
	if f.page != "" {
		where += " and " + f.page
	}
	return &failure{exitInterrupted, fmt.Errorf("interrupted after %d of %d samples; they are shown above and in %s", out.Results, out.Total, where)}
}
