// SPDX-License-Identifier: BSD-3-Clause

package page

import (
	"fmt"

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
				Lock: lock, Count: t.Count(lock), Mean: format.Mean(m),
			}
			if m.Rows != m.Of && m.Wide == 0 {
				row.Over = fmt.Sprintf("of %d of %d", m.Rows, m.Of)
			}
			rows = append(rows, row)
		}
	}
	return rows
}
