// SPDX-License-Identifier: BSD-3-Clause

package page

import (
	"strconv"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/render"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// A tableView is the table of one unit in full.
type tableView struct {
	ID, Unit, Caption string
	Keys              []string
	Compare           bool
	Loads             []loadView
	Means             []meanView
}

// A loadView is a load with a line for each lock.
type loadView struct {
	Keys  []string
	Locks []lockView
}

// A lockView is one lock under one load.
type lockView struct {
	Lock, Median, Spread string
	Ratio, Interval, N   string
	Verdict, Problem     string
}

type meanView struct{ Lock, Ratio, Over string }

func tableOf(g *report.Group, t *report.Table, id string) tableView {
	v := tableView{ID: id, Unit: t.Unit, Caption: render.Caption(t), Keys: t.Keys, Compare: len(g.Locks) > 1}
	for _, r := range t.Rows {
		v.Loads = append(v.Loads, loadOf(t, r, r.Values))
	}
	for _, lock := range g.Locks[1:] {
		if m := t.Means[lock]; m.Rows > 0 {
			v.Means = append(v.Means, meanView{lock, format.Mean(m), format.Over(m)})
		}
	}
	return v
}

func loadOf(t *report.Table, r *report.Row, keys []string) loadView {
	l := loadView{Keys: keys}
	for _, c := range r.Cells {
		if c != nil {
			l.Locks = append(l.Locks, lockOf(t.Unit, c))
		}
	}
	return l
}

func lockOf(unit string, c *report.Cell) lockView {
	v := lockView{
		Lock: c.Lock, Median: format.Value(c.Center, unit),
		Spread: format.Spread(c.Center, c.Lo, c.Hi), N: strconv.Itoa(c.N),
	}
	if c.Ratio == nil {
		return v
	}
	v.Verdict = string(c.Verdict)
	if !c.Ratio.Short() { // the notes tell once that samples are few
		v.Problem = c.Ratio.Problem
	}
	if c.Ratio.Valid() {
		v.Ratio, v.Interval = format.Ratio(c.Ratio.Center), format.Interval(c.Ratio.Lo, c.Ratio.Hi)
	}
	return v
}
