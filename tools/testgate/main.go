// SPDX-License-Identifier: BSD-3-Clause

// Testgate reads the output of go test -json and decides whether a gate may pass:
//
//	go test -json ./... | go run ./tools/testgate -step race -skips .ci/skips
//
// It prints one line a package, the whole output of what failed, and every skipped
// test. It ends with 1 when a test or a build failed, when a test was skipped that the
// file of expected skips does not name for this step, or when no test ran at all.
//
// A line of that file is a step, a package with its test, and the reason; the first
// two are patterns of path.Match, a # starts a comment:
//
//	arm64*  sync.TestMisuse/*  the emulator cannot start itself again
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

func main() {
	step := flag.String("step", "test", "name of the gate's step")
	skips := flag.String("skips", "", "`file` of expected skips")
	flag.Parse()
	if flag.NArg() != 0 {
		fmt.Fprintf(os.Stderr, "testgate: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	var allowed []rule
	if *skips != "" {
		f, err := os.Open(*skips)
		if err == nil {
			allowed, err = readRules(f)
			f.Close()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "testgate: %s: %v\n", *skips, err)
			os.Exit(2)
		}
	}
	if err := judge(os.Stdin, os.Stdout, *step, allowed); err != nil {
		fmt.Fprintf(os.Stderr, "testgate: step %s: %v\n", *step, err)
		os.Exit(1)
	}
}

// A rule allows the tests that match to be skipped in the steps that match.
type rule struct {
	step, test, reason string
}

func readRules(r io.Reader) ([]rule, error) {
	var rules []rule
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		text, _, _ := strings.Cut(in.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		if len(fields) < 3 {
			return nil, fmt.Errorf("line %d: want a step, a test and a reason, have %q", n, text)
		}
		for _, pattern := range fields[:2] {
			if _, err := path.Match(pattern, ""); err != nil {
				return nil, fmt.Errorf("line %d: pattern %q: %w", n, pattern, err)
			}
		}
		rules = append(rules, rule{fields[0], fields[1], strings.Join(fields[2:], " ")})
	}
	return rules, in.Err()
}

// allows returns why the test may be skipped in this step, or false.
func allows(rules []rule, step, test string) (string, bool) {
	for _, r := range rules {
		inStep, _ := path.Match(r.step, step)
		isTest, _ := path.Match(r.test, test)
		if inStep && isTest {
			return r.reason, true
		}
	}
	return "", false
}

// An event is one line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// A report collects what the events of one run add up to.
type report struct {
	out                     io.Writer
	step                    string
	allowed                 []rule
	output                  map[string]*strings.Builder // of a package or test that may yet fail
	passed, failed, skipped int
	unexpected              []string
	running                 map[string]bool // packages that have begun and not ended
	broken                  string          // the first line that should be an event and is not
}

func judge(in io.Reader, out io.Writer, step string, allowed []rule) error {
	r := report{out: out, step: step, allowed: allowed, output: map[string]*strings.Builder{}, running: map[string]bool{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Action == "" {
			fmt.Fprintln(out, lines.Text()) // the go command's own words, or half an event
			if strings.HasPrefix(lines.Text(), "{") && r.broken == "" {
				r.broken = lines.Text()
			}
			continue
		}
		r.take(e)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d passed, %d failed, %d skipped\n", step, r.passed, r.failed, r.skipped)
	switch {
	case r.failed > 0:
		return errors.New("failures")
	case len(r.unexpected) > 0:
		return fmt.Errorf("unexpected skips: %s", strings.Join(r.unexpected, ", "))
	case r.broken != "":
		return fmt.Errorf("not an event of go test -json: %.60s", r.broken)
	case len(r.running) > 0:
		return fmt.Errorf("the output ends before these packages do: %s", strings.Join(slices.Sorted(maps.Keys(r.running)), ", "))
	case r.passed == 0:
		return errors.New("no test ran")
	}
	return nil
}

// name is the test's name as rules spell it: the last part of the package, a dot, and
// the test.
func (e event) name() string { return path.Base(e.Package) + "." + e.Test }

func (r *report) take(e event) {
	key := e.Package + " " + e.ImportPath + " " + e.Test
	switch e.Action {
	case "start":
		r.running[e.Package] = true
	case "output", "build-output":
		if r.output[key] == nil {
			r.output[key] = &strings.Builder{}
		}
		r.output[key].WriteString(e.Output)
	case "fail", "build-fail":
		r.failed++
		fmt.Fprintf(r.out, "FAIL %s %s%s\n", e.Package, e.Test, e.ImportPath)
		if e.Test == "" {
			r.unfinished(e.Package)
		}
		if b := r.output[key]; b != nil {
			io.WriteString(r.out, b.String())
		}
	case "skip":
		r.skip(e, key)
	case "pass":
		if e.Test != "" {
			r.passed++
		} else {
			fmt.Fprintf(r.out, "ok   %s %.1fs\n", e.Package, e.Elapsed)
		}
	}
	switch e.Action {
	case "pass", "fail", "skip":
		delete(r.output, key)
		if e.Test == "" {
			delete(r.running, e.Package)
		}
	}
}

// unfinished prints what the tests of a package said that were still running when it
// failed: a test that hangs or takes the program down has no failure of its own.
func (r *report) unfinished(pkg string) {
	for _, key := range slices.Sorted(maps.Keys(r.output)) {
		if strings.HasPrefix(key, pkg+"  ") && !strings.HasSuffix(key, " ") {
			fmt.Fprintf(r.out, "unfinished: %s\n%s", key, r.output[key])
			delete(r.output, key)
		}
	}
}

func (r *report) skip(e event, key string) {
	if e.Test == "" {
		return // a package without tests
	}
	r.skipped++
	reason, ok := allows(r.allowed, r.step, e.name())
	if !ok {
		r.unexpected = append(r.unexpected, e.name())
		reason = "NOT EXPECTED"
	}
	said := ""
	if b := r.output[key]; b != nil {
		said = skipMessage(b.String())
	}
	fmt.Fprintf(r.out, "skip %s (%s): %s\n", e.name(), reason, said)
}

// skipMessage finds what the test said when it skipped: the last line that is not the
// test runner's own.
func skipMessage(output string) string {
	said := ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			said = line
		}
	}
	return said
}
