// SPDX-License-Identifier: BSD-3-Clause

package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/chart"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// The units that are drawn.
const rateUnit = "acq/s"

var waitUnits = [4]string{"p50-sec", "p99-sec", "p999-sec", "max-sec"}

// A section is one kind of work, over numbers of goroutines.
type section struct {
	ID, Title  string
	Throughput template.HTML
	Rates      []loadView
	Waits      template.HTML
	Ladders    []waitView
	Compare    bool
}

// A waitView is the waits under one load.
type waitView struct {
	Goroutines string
	Locks      []waitLock
}

// A waitLock is a line of it: a lock's waits, or its ratios to the base.
type waitLock struct {
	Lock  string
	Ratio bool
	Rungs [4]rung
}

type rung struct{ Text, Verdict string }

// sections splits the loads of a group by all keys but the goroutines. A load
// without that key has no place on the pictures and stands in the tables only.
func sections(g *report.Group, id string) []section {
	var titles []string
	for _, unit := range append([]string{rateUnit}, waitUnits[:]...) {
		if t := g.Table(unit); t != nil {
			for _, r := range t.Rows {
				if title, ok := work(t, r); ok && !slices.Contains(titles, title) {
					titles = append(titles, title)
				}
			}
		}
	}
	var all []section
	for i, title := range titles {
		s := section{ID: fmt.Sprintf("%s-s%d", id, i+1), Title: title, Compare: len(g.Locks) > 1}
		s.throughput(g)
		s.waits(g)
		if s.Throughput != "" || s.Waits != "" {
			all = append(all, s)
		}
	}
	return all
}

// work names the kind of work of a row, "hold 50ns, think 1us"; ok is whether it
// has a number of goroutines.
func work(t *report.Table, r *report.Row) (title string, ok bool) {
	var parts []string
	for i, k := range t.Keys {
		if k == "goroutines" {
			_, err := strconv.ParseFloat(r.Values[i], 64)
			ok = err == nil
		} else if r.Values[i] != "" {
			parts = append(parts, k+" "+r.Values[i])
		}
	}
	if len(parts) == 0 {
		parts = []string{r.Name}
	}
	return strings.Join(parts, ", "), ok
}

// rows calls f for the rows of the section in t, by goroutines.
func (s *section) rows(t *report.Table, f func(x float64, r *report.Row)) {
	if t == nil {
		return
	}
	type at struct {
		x float64
		r *report.Row
	}
	var rows []at
	for _, r := range t.Rows {
		if title, ok := work(t, r); ok && title == s.Title {
			x, _ := strconv.ParseFloat(t.Value(r, "goroutines"), 64)
			rows = append(rows, at{x, r})
		}
	}
	slices.SortStableFunc(rows, func(a, b at) int { return int(math.Copysign(1, a.x-b.x)) })
	for _, row := range rows {
		f(row.x, row.r)
	}
}

func (s *section) throughput(g *report.Group) {
	t := g.Table(rateUnit)
	curves := make([]chart.Curve, len(g.Locks))
	s.rows(t, func(x float64, r *report.Row) {
		for i, c := range r.Cells {
			curves[i].Name = g.Locks[i]
			if c != nil {
				curves[i].Points = append(curves[i].Points, chart.Point{X: x, Y: c.Center, Lo: c.Lo, Hi: c.Hi, N: c.N})
			}
		}
		s.Rates = append(s.Rates, loadOf(t, r, []string{t.Value(r, "goroutines")}))
	})
	s.Throughput = chart.Throughput(chart.Text{
		ID: s.ID + "-thr", Title: "Throughput against goroutines, " + s.Title,
		Desc: "Acquisitions per second of " + strings.Join(g.Locks, ", ") + " over the number of goroutines on a log scale, with confidence bands. The numbers are in the table beside.",
	}, curves, rateUnit)
}

func (s *section) waits(g *report.Group) {
	sides := make([]chart.Side, len(g.Locks))
	first := g.Table(waitUnits[0])
	s.rows(first, func(x float64, r *report.Row) {
		w := waitView{Goroutines: first.Value(r, "goroutines")}
		for i, lock := range g.Locks {
			sides[i].Name = lock
			ladder, lines := waitsOf(g, r.Name, lock)
			ladder.X = x
			if len(lines) > 0 {
				sides[i].Ladders = append(sides[i].Ladders, ladder)
				w.Locks = append(w.Locks, lines...)
			}
		}
		s.Ladders = append(s.Ladders, w)
	})
	s.Waits = chart.Waits(chart.Text{
		ID: s.ID + "-wait", Title: "Waits for the lock, " + s.Title,
		Desc: "For each number of goroutines a ladder per lock from the median wait over the 99th and 99.9th percentile to the longest, on a log scale. The numbers are in the table beside.",
	}, sides, waitUnits[0])
}

// waitsOf collects the four waits of a lock under the load called name: the ladder
// and its lines in the table, none where nothing was measured.
func waitsOf(g *report.Group, name, lock string) (l chart.Ladder, lines []waitLock) {
	value, ratio := waitLock{Lock: lock}, waitLock{Lock: lock, Ratio: true}
	found, compared := false, false
	for k, unit := range waitUnits {
		l.Rungs[k] = math.NaN()
		c := cellNamed(g.Table(unit), name, lock)
		if c == nil {
			continue
		}
		found = true
		l.Rungs[k] = c.Center
		value.Rungs[k].Text = format.Value(c.Center, unit)
		if c.Ratio != nil && c.Ratio.Valid() {
			compared = true
			ratio.Rungs[k] = rung{"× " + format.Ratio(c.Ratio.Center), string(c.Verdict)}
		}
	}
	if found {
		lines = append(lines, value)
	}
	if compared {
		lines = append(lines, ratio)
	}
	return l, lines
}

func cellNamed(t *report.Table, name, lock string) *report.Cell {
	if t == nil {
		return nil
	}
	for _, r := range t.Rows {
		if r.Name == name {
			return r.Cell(lock)
		}
	}
	return nil
}
