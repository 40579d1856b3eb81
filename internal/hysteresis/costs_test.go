// SPDX-License-Identifier: BSD-3-Clause

package hysteresis

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestCosts(t *testing.T) {
	var c Costs
	if e, l := c.Pair(); e != 0 || l != 0 {
		t.Errorf("unmeasured: %d, %d", e, l)
	}
	if s := c.Step(3); s != defaultStep {
		t.Errorf("unmeasured step %d, want %d", s, defaultStep)
	}
	c.SetLoss(3, 3000)
	if s := c.Step(3); s != defaultStep {
		t.Errorf("loss known, costs not: step %d, want %d", s, defaultStep)
	}
	c.Set(400, 2600)
	if s, want := c.Step(3), Step(full/1000+1); s != want {
		t.Errorf("3 ns of 3000: step %d, want %d", s, want)
	}
	if s := c.Step(4); s != 0 {
		t.Errorf("an event without a loss counts %d", s)
	}
	c.Set(800, 5200)
	if s, want := c.Step(3), Step(full/2000+1); s != want {
		t.Errorf("3 ns of 6000: step %d, want %d", s, want)
	}
	c.SetLoss(3, 1<<40)
	if s := c.Step(3); s != full {
		t.Errorf("a loss above the round trip: step %d", s)
	}
	c.SetLoss(3, -1)
	if s := c.Step(3); s != 0 {
		t.Errorf("a negative loss: step %d", s)
	}
	c.SetLoss(3, 1)
	c.Set(0, 0)
	if s := c.Step(3); s != full {
		t.Errorf("switching is free: step %d", s)
	}
	c.Set(1<<40, -5)
	if e, l := c.Pair(); e != maxNs || l != 0 {
		t.Errorf("out of range: %d, %d", e, l)
	}
	if s := c.Step(3); s != 1 {
		t.Errorf("1 ps of 4 s: step %d, want 1", s)
	}
}

func TestStats(t *testing.T) {
	var c Costs
	c.Set(405, 9000)
	c.Entered()
	c.Entered()
	c.Left()
	s := c.Stats()
	if s != (Stats{EnterNs: 405, LeaveNs: 9000, Enters: 2, Leaves: 1}) {
		t.Errorf("%+v", s)
	}
	if got, want := s.String(), "enter 405 ns, leave 9000 ns, 2 entered, 1 left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestObserve(t *testing.T) {
	var c Costs
	c.ObserveEnter(800) // the first is taken as it is
	if e, l := c.Pair(); e != 800 || l != 0 {
		t.Errorf("%d, %d", e, l)
	}
	c.ObserveEnter(1600)
	c.ObserveLeave(40)
	if e, l := c.Pair(); e != 900 || l != 40 {
		t.Errorf("%d, %d, want 900, 40", e, l)
	}
	c.ObserveEnter(1e12) // counts as 7200
	if e, _ := c.Pair(); e != 900+(7200-900+7)/8 {
		t.Errorf("an outlier moves it to %d", e)
	}
	for range 200 { // it gets there, from above and from below
		c.ObserveEnter(100)
		c.ObserveLeave(100)
	}
	if e, l := c.Pair(); e != 100 || l != 100 {
		t.Errorf("%d, %d, want 100, 100", e, l)
	}
	c.SetLoss(0, 2000)
	if s := c.Step(0); s != full/100+1 {
		t.Errorf("2 ns of 200: step %d", s)
	}
}

// A clock that jumps by what the change under way is said to cost.
func TestCalibrate(t *testing.T) {
	var c Costs
	var now, round int64
	clock := func() int64 { return now }
	enter := func() {
		round++
		now += 405
		if round%3 == 0 { // disturbed
			now += 1e9
		}
	}
	leave := func() { now += 9000 + round }
	c.Calibrate(clock, enter, leave)
	if e, l := c.Pair(); e != 405 || l != 9006 {
		t.Errorf("%d, %d, want 405, 9006", e, l)
	}
	if round != calibrations {
		t.Errorf("%d rounds", round)
	}
}

// Both costs are read as a pair, and the steps are right after any storm of
// changes.
func TestCostsConcurrently(t *testing.T) {
	var c Costs
	c.Set(500, 500)
	c.SetLoss(1, 1000)
	var wg sync.WaitGroup
	for g := range int64(4) {
		wg.Go(func() {
			for i := range int64(3000) {
				k := (i*7 + g) % 1000
				c.Set(k, 1000-k)
				c.SetLoss(1, 1+k)
				if e, l := c.Pair(); e+l != 1000 {
					t.Errorf("torn pair %d, %d", e, l)
					return
				}
			}
		})
	}
	wg.Wait()
	if got, want := c.Step(1), ratio(c.loss[1].Load(), c.pair.Load()); got != want {
		t.Errorf("step %d after the storm, want %d", got, want)
	}
}

// A step stored from costs that have changed meanwhile is noticed.
func TestStaleStep(t *testing.T) {
	var c Costs
	c.Set(500, 500)
	c.SetLoss(1, 1000)
	pair, loss := c.pair.Load(), c.loss[1].Load()
	if !c.derive(1, pair, loss) {
		t.Error("what is right is taken for stale")
	}
	c.Set(100, 500)
	if c.derive(1, pair, loss) {
		t.Error("stale costs not noticed")
	}
	c.Set(500, 500)
	c.SetLoss(1, 2000)
	if c.derive(1, pair, loss) {
		t.Error("a stale loss not noticed")
	}
}

// The package must fit beneath the standard library's internal/sync.
func TestImports(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range f.Imports {
			if p := imp.Path.Value; p != `"sync/atomic"` && p != `"unsafe"` {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
	if files < 5 {
		t.Errorf("only %d files seen", files)
	}
}

var sinkAccount Account

func BenchmarkLose(b *testing.B) {
	var c Costs
	c.Set(400, 2600)
	c.SetLoss(0, 3000)
	a := Account(0)
	for b.Loop() {
		var leave bool
		if a, leave = a.Lose(Adaptive, c.Step(0)); leave {
			a = 0
		}
	}
	sinkAccount = a
}
