// SPDX-License-Identifier: BSD-3-Clause

package page

import (
	"fmt"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// summaryRow counts the verdicts of one lock in one unit.
type summaryRow struct {
	Unit, Words, Direction string
	Lock                   string
	report.Count
	Mean, Over string
}

// Rows is all rows of the unit.
func (r summaryRow) Rows() int { return r.Better + r.Worse + r.Unknown }

// Share is the width of a part of the bar, in percent.
func (r summaryRow) Share(n int) string {
	return fmt.Sprintf("%.4g%%", 100*float64(n)/float64(max(r.Rows(), 1)))
}

func summary(g *report.Group) []summaryRow {
	var rows []summaryRow
	for _, t := range g.Tables {
		for _, lock := range g.Locks[1:] {
			m := t.Means[lock]
			row := summaryRow{
				Unit: t.Unit, Words: format.Unit(t.Unit), Direction: format.Direction(t.Better),
				Lock: lock, Count: t.Count(lock), Mean: "-",
			}
			if m.Rows > 0 {
				row.Mean = format.Ratio(m.Ratio)
			}
			if m.Rows != m.Of {
				row.Over = fmt.Sprintf("of %d of %d", m.Rows, m.Of)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// findings says in a sentence for each lock what matters most: throughput, then
// the tail of the waits.
func findings(g *report.Group) []string {
	var all []string
	for _, lock := range g.Locks[1:] {
		var parts []string
		for _, f := range []struct{ unit, words string }{
			{"acq/s", "throughput"}, {"p99-sec", "99th percentile of the wait"}, {"max-sec", "longest wait"},
		} {
			if t := g.Table(f.unit); t != nil {
				parts = append(parts, f.words+" "+t.Count(lock).String())
			}
		}
		if len(parts) > 0 {
			all = append(all, fmt.Sprintf("%s against %s: %s.", lock, g.Base, strings.Join(parts, "; ")))
		}
	}
	return all
}
