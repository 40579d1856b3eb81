// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/progress"
	"github.com/turnstile-go/turnstile/lockbench"
	"github.com/turnstile-go/turnstile/numa"
)

// file is a results file that can be made to fail.
type file struct {
	text   strings.Builder
	writes int
	fail   int // fails at this write, counted from 1
	closed bool
	after  func() // called after each write
}

var errFull = errors.New("no space")

func (f *file) Write(p []byte) (int, error) {
	if f.writes++; f.writes == f.fail {
		return 0, errFull
	}
	n, err := f.text.Write(p)
	if f.after != nil {
		f.after()
	}
	return n, err
}

func (f *file) String() string { return f.text.String() }

func (f *file) Close() error { f.closed = true; return nil }

func run(t *testing.T, f *file) *Run {
	t.Helper()
	locks, err := lockbench.Locks("std", "turnstile")
	if err != nil {
		t.Fatal(err)
	}
	return &Run{
		Suite: lockbench.Suite{
			Name: "tiny", Bench: "BenchmarkTiny", Cell: time.Millisecond, Samples: 2,
			Loads: []lockbench.Load{{Goroutines: 1}, {Goroutines: 2, Place: numa.Unpinned}},
		},
		Locks: locks, Keys: []lockbench.KeyValue{{Key: "cpu", Value: "x"}},
		Create: func() (io.WriteCloser, error) { return f, nil },
		Meter:  progress.New(io.Discard, 0),
	}
}

// The rehearsal has the names, the units and the keys of the file.
func TestRehearsal(t *testing.T) {
	f := new(file)
	r := run(t, f)
	rehearsed := string(r.Rehearsal())
	if _, err := r.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	shape := func(text string) map[string]bool {
		lines := map[string]bool{}
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			if strings.HasPrefix(line, "Benchmark") { // without its numbers
				words = slices.DeleteFunc(words, func(w string) bool {
					_, err := strconv.ParseFloat(w, 64)
					return err == nil
				})
			}
			lines[strings.Join(words, " ")] = true
		}
		return lines
	}
	if got, want := shape(rehearsed), shape(f.String()); !maps.Equal(got, want) || len(want) < 10 {
		t.Errorf("rehearsed %v, want %v", got, want)
	}
}

// M2: a write for each result, the head with the first.
func TestWritesEachResult(t *testing.T) {
	f := new(file)
	out, err := run(t, f).Do(context.Background())
	if err != nil || out.Results != 8 || out.Total != 8 || f.writes != 8 || !f.closed {
		t.Errorf("%d of %d results, %d writes, closed %v, error %v; want 8", out.Results, out.Total, f.writes, f.closed, err)
	}
	if f.String() != string(out.Text) {
		t.Error("the file and the memory differ")
	}
	if !strings.HasPrefix(f.String(), "cpu: x\nUnit ns/op better=lower\n") || strings.Count(f.String(), "\nBenchmarkTiny/lock=") != 8 {
		t.Errorf("file:\n%s", f.String())
	}
}

// An interruption keeps all results before it, in the file and in memory.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f := new(file)
	f.after = func() {
		if f.writes == 3 {
			cancel()
		}
	}
	out, err := run(t, f).Do(ctx)
	if !errors.Is(err, context.Canceled) || out.Results != 3 || f.String() != string(out.Text) || strings.Count(f.String(), "\nBenchmark") != 3 {
		t.Errorf("%d results, error %v; want 3 and context.Canceled", out.Results, err)
	}
}

// M3: a full disk ends the run, and the result that did not fit is in memory.
func TestFull(t *testing.T) {
	f := &file{fail: 3}
	out, err := run(t, f).Do(context.Background())
	if !errors.Is(err, errFull) || out.Results != 3 || strings.Count(string(out.Text), "\nBenchmark") != 3 || strings.Count(f.String(), "\nBenchmark") != 2 {
		t.Errorf("%d results, error %v, file:\n%s", out.Results, err, f.String())
	}
}

// M1: the file is not opened before there is a result.
func TestNotOpenedEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := run(t, nil)
	r.Create = func() (io.WriteCloser, error) { t.Error("opened"); return nil, errFull }
	out, err := r.Do(ctx)
	if out.Results != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d results, error %v", out.Results, err)
	}
}

func TestSurvey(t *testing.T) {
	h, err := Survey(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, kv := range h.Keys {
		keys[kv.Key] = kv.Value
	}
	for _, k := range []string{"goos", "goarch", "topology", "hooks", "origin", "toolchain", "lost", "delay-ns", "harness-ns"} {
		if keys[k] == "" {
			t.Errorf("no key %s", k)
		}
	}
}

func TestRunKeys(t *testing.T) {
	at := time.Date(2026, 1, 2, 4, 4, 5, 6, time.FixedZone("", 3600))
	got := fmt.Sprint(RunKeys(lockbench.Suite{Name: "quick", Cell: 80 * time.Millisecond, Samples: 10}, at))
	if want := "[{date 2026-01-02T03:04:05Z} {suite quick} {cell 80ms} {samples 10}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestShort(t *testing.T) {
	for cell, want := range map[string]string{
		"lock=turnstile/goroutines=64/hold=50ns/think=1us":   "turnstile g=64 50ns/1us",
		"lock=std/goroutines=2/hold=0/think=0/place=compact": "std g=2 0/0 compact",
	} {
		if got := short(cell); got != want {
			t.Errorf("short(%s) = %s, want %s", cell, got, want)
		}
	}
}
