// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/facts"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// csvHead names the columns. A row is one lock under one load in one unit; the
// columns from base_center on are empty for the base lock itself.
var csvHead = []string{
	"group", "machine", "origin", "name", "unit", "lock", "center", "lo", "hi", "n",
	"base", "base_center", "base_lo", "base_hi", "base_n",
	"ratio", "ratio_lo", "ratio_hi", "ratio_n", "method", "verdict",
}

// CSV writes the report for programs: a header, then a row for each measurement,
// values unrounded and in tidied units. A name that a spreadsheet would take for a
// formula gets a ' in front; numbers never do. Groups are numbered from 1.
func CSV(w io.Writer, rep *report.Report) error {
	out := csv.NewWriter(w)
	out.Write(csvHead)
	for i, g := range rep.Groups {
		machine := facts.Of(g).Title
		for _, t := range g.Tables {
			for _, r := range t.Rows {
				for _, c := range r.Cells {
					if c != nil {
						out.Write(append([]string{strconv.Itoa(i + 1), inert(machine), inert(g.Origin())}, csvCell(g, t, r, c)...))
					}
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

func csvCell(g *report.Group, t *report.Table, r *report.Row, c *report.Cell) []string {
	row := append([]string{inert(r.Name), inert(t.Unit), inert(c.Lock)}, csvSummary(c)...)
	if c.Ratio == nil {
		return append(row, make([]string, 11)...)
	}
	row = append(append(row, inert(g.Base)), csvSummary(r.Cell(g.Base))...)
	return append(row, exact(c.Ratio.Center), exact(c.Ratio.Lo), exact(c.Ratio.Hi),
		strconv.Itoa(c.Ratio.N), string(c.Ratio.Method), string(c.Verdict))
}

// inert keeps a spreadsheet from computing what is only a name.
func inert(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		return "'" + name
	}
	return name
}

func csvSummary(c *report.Cell) []string {
	return []string{exact(c.Center), exact(c.Lo), exact(c.Hi), strconv.Itoa(c.N)}
}

// exact writes every digit; what is not a number is an empty field.
func exact(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
