// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"fmt"
	"strings"
)

// Kind is the kind of a fault.
type Kind string

// The kinds of faults.
const (
	None     Kind = ""
	Broken   Kind = "invariant broken"
	Stuck    Kind = "stuck"
	Livelock Kind = "livelock"
	BadEnd   Kind = "bad end"
	Limit    Kind = "too many states"
)

// Result is what Check found.
type Result struct {
	Name   string
	States int // visited
	Edges  int // steps between them
	Depth  int // steps to the farthest state
	Ends   int // states in which all have finished and nothing is left to do

	Fault Kind   // None when the model holds
	What  string // the fault in words
	Trace string // the shortest way to it, a line a step
	Steps int    // lines in Trace before the loop, if there is one
}

// String is one line of counts, then the trace of a fault if there is one.
func (r Result) String() string {
	s := fmt.Sprintf("%s: %d states, %d steps, depth %d, %d ends", r.Name, r.States, r.Edges, r.Depth, r.Ends)
	if r.Fault == None {
		return s
	}
	return fmt.Sprintf("%s; %s after %d steps: %s\n%s", s, r.Fault, r.Steps, r.What, r.Trace)
}

// Check visits all states of m and reports the first fault of the lowest
// depth: first broken invariants, stuck states and bad ends, in the order of
// the search, then fair loops.
func Check[S, L comparable](m Model[S, L]) Result {
	m.check()
	limit := m.Limit
	if limit == 0 {
		limit = 30_000_000
	}
	g := newGraph(&m)
	r := Result{Name: m.Name}
	var f *fault
	r.Depth, r.Ends, f = g.search(limit)
	g.slots, g.hash = nil, nil // room for the fairness check
	if f == nil {
		f = g.fairLoop()
	}
	r.States, r.Edges = g.len(), len(g.edges)
	if f != nil {
		r.Fault, r.What = f.kind, f.what
		r.Trace, r.Steps = g.trace(f)
	}
	return r
}

// TB is the part of testing.TB that Holds and Fails use.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Holds checks m and fails the test with the trace if it has a fault. The
// counts go to the log.
func Holds[S, L comparable](t TB, m Model[S, L]) Result {
	t.Helper()
	r := Check(m)
	if r.Fault != None {
		t.Errorf("%v", r)
	} else {
		t.Logf("%v", r)
	}
	return r
}

// Fails checks m, a deliberate mutant, and fails the test unless a fault of
// one of the given kinds is found.
func Fails[S, L comparable](t TB, m Model[S, L], kinds ...Kind) Result {
	t.Helper()
	r := Check(m)
	for _, k := range kinds {
		if r.Fault == k {
			t.Logf("%s: %d states, caught: %s after %d steps", r.Name, r.States, r.Fault, r.Steps)
			return r
		}
	}
	t.Errorf("mutant not caught, want one of %q: %v", kinds, r)
	return r
}

// name is the name of actor i in traces.
func (m *Model[S, L]) name(i int) string {
	if i < len(m.Names) {
		return m.Names[i]
	}
	return fmt.Sprintf("actor %d", i)
}

// trace writes the way to a fault, and its loop.
func (g *graph[S, L]) trace(f *fault) (text string, steps int) {
	path := []uint32{f.state}
	for v := f.state; v != 0; v = g.parent[v] {
		path = append(path, g.parent[v])
	}
	path = reverse(path)
	var b strings.Builder
	fmt.Fprintf(&b, "%4d  %s\n", 0, g.show(0))
	for i, v := range path[1:] {
		fmt.Fprintf(&b, "%4d  %s\n", i+1, g.line(path[i], v))
	}
	for i, v := range f.loop {
		next := f.loop[(i+1)%len(f.loop)]
		fmt.Fprintf(&b, "loop  %s\n", g.line(v, next))
	}
	return b.String(), len(path) - 1
}

// line describes the step from state v to state w. Labels are not stored:
// the step is found again by taking all steps of v.
func (g *graph[S, L]) line(v, w uint32) string {
	var x X[S, L]
	var text string
	g.model.successors(&x, g.at(v), func(label string) {
		if text == "" && x.next == *g.at(w) {
			text = fmt.Sprintf("%s: %s", g.model.name(int(x.by%MaxActors)), label)
		}
	})
	return fmt.Sprintf("%-44s %s", text, g.show(w))
}

// show prints a state.
func (g *graph[S, L]) show(v uint32) string {
	st := g.at(v)
	var b strings.Builder
	fmt.Fprintf(&b, "%+v", st.shared)
	for i := range g.model.Locals {
		fmt.Fprintf(&b, "  %s %+v", g.model.name(i), st.local[i])
		for j := range st.buf[i].n {
			fmt.Fprintf(&b, " [word %d=%d on its way]", st.buf[i].word[j], st.buf[i].val[j])
		}
	}
	return b.String()
}
