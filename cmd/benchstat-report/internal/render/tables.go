// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"fmt"
	"strconv"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// unitGrid is the table of one unit. One line a load where a single lock is set
// against the base, else one line a load and lock.
func unitGrid(g *report.Group, t *report.Table) *grid {
	gr := new(grid)
	for _, k := range t.Keys {
		gr.column(k, true)
	}
	switch len(g.Locks) {
	case 1:
		gr.column(column(g, 0), false)
		gr.column("n", true)
	case 2:
		gr.column(column(g, 0), false)
		gr.column(column(g, 1), false)
		gr.ratioColumns()
	default:
		gr.column("lock", false)
		gr.column("median", false)
		gr.ratioColumns()
	}
	for _, r := range t.Rows {
		gr.unitRow(g, t, r)
	}
	gr.means(g, t)
	return gr
}

// column is the heading of a lock; numbers that were not measured say so there.
func column(g *report.Group, i int) string {
	if o := g.Origin(); o != "measured" && o != "unstated" {
		return g.Locks[i] + " (" + o + ")"
	}
	return g.Locks[i]
}

func (gr *grid) ratioColumns() {
	gr.column("ratio", true)
	gr.column("interval", false)
	gr.column("n", true)
	gr.column("verdict", false)
}

func (gr *grid) unitRow(g *report.Group, t *report.Table, r *report.Row) {
	keys := r.Values
	switch len(g.Locks) {
	case 1:
		gr.rows = append(gr.rows, join(keys, median(r.Cells[0], t.Unit), samples(r.Cells[0])))
	case 2:
		gr.rows = append(gr.rows, join(keys, append([]string{median(r.Cells[0], t.Unit), median(r.Cells[1], t.Unit)}, ratio(r.Cells[1])...)...))
	default:
		for i, c := range r.Cells {
			if c != nil {
				gr.rows = append(gr.rows, join(keys, append([]string{column(g, i), median(c, t.Unit)}, ratio(c)...)...))
				keys = make([]string, len(keys)) // the load is named once
			}
		}
	}
}

func join(a []string, b ...string) []string { return append(append([]string(nil), a...), b...) }

// median is "6.455M ± 6%".
func median(c *report.Cell, unit string) string {
	if c == nil {
		return "-"
	}
	return format.Value(c.Center, unit) + " " + format.Spread(c.Center, c.Lo, c.Hi)
}

func samples(c *report.Cell) string {
	if c == nil {
		return ""
	}
	return strconv.Itoa(c.N)
}

// ratio is the four cells of ratioColumns.
func ratio(c *report.Cell) []string {
	switch {
	case c == nil:
		return []string{"", "", "", "not measured"}
	case c.Ratio == nil:
		return []string{"", "", samples(c), ""}
	}
	verdict := string(c.Verdict)
	if c.Ratio.Problem != "" && !c.Ratio.Short() { // Notes tell once that samples are few
		verdict += ": " + c.Ratio.Problem
	}
	n := strconv.Itoa(c.Ratio.N)
	if c.Ratio.NBase != c.Ratio.N {
		n = fmt.Sprintf("%d+%d", c.Ratio.NBase, c.Ratio.N)
	}
	if !c.Ratio.Valid() {
		return []string{"-", "", n, verdict}
	}
	return []string{format.Ratio(c.Ratio.Center), format.Interval(c.Ratio.Lo, c.Ratio.Hi), n, verdict}
}

// means adds the geometric mean of each lock, and over how many rows it goes.
func (gr *grid) means(g *report.Group, t *report.Table) {
	for _, lock := range g.Locks[1:] {
		m := t.Means[lock]
		if m.Rows == 0 {
			continue
		}
		row := make([]string, len(gr.head))
		row[0] = "geomean"
		if len(g.Locks) > 2 {
			row[len(t.Keys)] = lock
		}
		row[len(t.Keys)+2], row[len(t.Keys)+3] = format.Mean(m), format.Over(m)
		gr.rows = append(gr.rows, row)
	}
}

// summaryGrid counts the verdicts: what a reader wants to know first.
func summaryGrid(g *report.Group) *grid {
	gr := new(grid)
	gr.column("unit", false)
	if len(g.Locks) > 2 {
		gr.column("lock", false)
	}
	for _, h := range []string{"better", "worse", "unknown", "geomean"} {
		gr.column(h, true)
	}
	gr.column("", false)
	for _, t := range g.Tables {
		for _, lock := range g.Locks[1:] {
			c, m := t.Count(lock), t.Means[lock]
			row := []string{t.Unit}
			if len(g.Locks) > 2 {
				row = append(row, lock)
			}
			note := format.Direction(t.Better)
			if m.Rows != m.Of || m.Wide > 0 {
				note += "; geomean: " + format.Over(m)
			}
			gr.rows = append(gr.rows, append(row, strconv.Itoa(c.Better), strconv.Itoa(c.Worse), strconv.Itoa(c.Unknown), format.Mean(m), note))
		}
	}
	return gr
}
