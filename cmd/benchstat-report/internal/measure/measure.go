// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/progress"
	"github.com/turnstile-go/turnstile/lockbench"
)

// A Run is a suite about to be measured.
type Run struct {
	Suite lockbench.Suite
	Locks []lockbench.Lock
	Keys  []lockbench.KeyValue
	// Create opens the file; it is called when the first result is there (M1).
	Create func() (io.WriteCloser, error)
	Meter  *progress.Meter
}

// An Outcome is what a run left.
type Outcome struct {
	Text    []byte // the file's contents: keys, units, results
	Results int
	Total   int
}

// Do measures. The outcome holds whatever was measured, also when there is an
// error: the context ended, a lock failed, or the file could not be written.
func (r *Run) Do(ctx context.Context) (Outcome, error) {
	s := &sink{create: r.Create, head: r.head()}
	out := Outcome{Total: len(r.Suite.Loads) * len(r.Locks) * r.Suite.Samples}
	err := lockbench.RunSuite(ctx, r.Suite, r.Locks,
		func(lock lockbench.Lock, load lockbench.Load, _ int, res lockbench.Result) error {
			out.Results++
			return s.line(res.BenchLine(r.Suite.Bench, lock.Name, load))
		},
		func(p lockbench.Progress) {
			r.Meter.Show(progress.State{Done: p.Done, Total: p.Total, ETA: p.ETA, Doing: short(p.Cell)})
		})
	r.Meter.Clear()
	out.Text = s.text.Bytes()
	if cerr := s.close(); err == nil {
		err = cerr
	}
	return out, err
}

// short names a cell in few characters: "turnstile g=64 50ns/1us".
func short(cell string) string {
	get := func(key string) string {
		for part := range strings.SplitSeq(cell, "/") {
			if v, ok := strings.CutPrefix(part, key+"="); ok {
				return v
			}
		}
		return ""
	}
	s := fmt.Sprintf("%s g=%s %s/%s", get("lock"), get("goroutines"), get("hold"), get("think"))
	if place := get("place"); place != "" {
		s += " " + place
	}
	return s
}

// head is what stands before the results.
func (r *Run) head() string {
	var b strings.Builder
	for _, kv := range r.Keys {
		fmt.Fprintf(&b, "%s: %s\n", kv.Key, kv.Value)
	}
	b.WriteString(lockbench.UnitLines() + "\n")
	return b.String()
}

// Rehearsal is a file like the one that Do writes, with one made-up result for each
// load and lock: what can be found out from the names and units alone.
func (r *Run) Rehearsal() []byte {
	var b bytes.Buffer
	b.WriteString(r.head())
	for _, load := range r.Suite.Loads {
		for _, lock := range r.Locks {
			fake := lockbench.Result{Ops: 1, Elapsed: time.Second, PerGoroutine: []uint64{1}, UsableCPUs: 1}
			b.WriteString(fake.BenchLine(r.Suite.Bench, lock.Name, load) + "\n")
		}
	}
	return b.Bytes()
}

// A sink writes lines to the file and remembers them.
type sink struct {
	create func() (io.WriteCloser, error)
	head   string
	text   bytes.Buffer
	file   io.WriteCloser
	failed error
}

// line writes a result. The first one opens the file. After a failure lines are
// only remembered.
func (s *sink) line(text string) error {
	first := s.text.Len() == 0
	if first {
		s.text.WriteString(s.head)
	}
	s.text.WriteString(text + "\n")
	if s.failed != nil {
		return s.failed
	}
	if first {
		if s.file, s.failed = s.create(); s.failed != nil {
			return s.failed
		}
		text = s.head + text
	}
	_, s.failed = io.WriteString(s.file, text+"\n")
	return s.failed
}

func (s *sink) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
