// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/facts"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// Text writes the report for a terminal.
func Text(w io.Writer, rep *report.Report) error {
	var b strings.Builder
	for i, g := range rep.Groups {
		if i > 0 {
			b.WriteString("\n\n")
		}
		Facts(&b, facts.Of(g))
		fmt.Fprintf(&b, "%-16s%s\n", "files", strings.Join(g.Files, ", "))
		textGroup(&b, rep, g)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Tables is Text without what the numbers were measured on.
func Tables(w io.Writer, rep *report.Report) error {
	var b strings.Builder
	for _, g := range rep.Groups {
		textGroup(&b, rep, g)
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// Facts writes what is known about a machine.
func Facts(b *strings.Builder, s facts.Sheet) {
	fmt.Fprintf(b, "%s\n", s.Title)
	for _, l := range s.Lines {
		fmt.Fprintf(b, "%-16s%s\n", l.Label, l.Text)
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(b, "warning: %s\n", w)
	}
}

func textGroup(b *strings.Builder, rep *report.Report, g *report.Group) {
	if len(g.Locks) > 1 {
		fmt.Fprintf(b, "\n%s; rows by verdict\n", Against(g))
		summaryGrid(g).text(b)
	}
	for _, t := range g.Tables {
		fmt.Fprintf(b, "\n%s\n", Caption(t))
		unitGrid(g, t).text(b)
	}
	b.WriteString("\n")
	for _, n := range Notes(rep, g) {
		b.WriteString(n + "\n")
	}
}

// Against names what is compared: "turnstile against std".
func Against(g *report.Group) string {
	return strings.Join(g.Locks[1:], ", ") + " against " + g.Base
}

// Caption is the heading of a unit's table.
func Caption(t *report.Table) string {
	s := t.Unit
	if words := format.Unit(t.Unit); words != "" {
		s += ": " + words
	}
	return s + " (" + format.Direction(t.Better) + ")"
}

// Notes say how the numbers were computed and what they do not say.
func Notes(rep *report.Report, g *report.Group) []string {
	level := format.Percent(rep.Confidence)
	notes := []string{"Medians with the larger distance to a bound of their interval (" + level + " or more)."}
	if len(g.Locks) == 1 {
		return append(notes, "One column only: nothing to compare. Names need a /lock= key with two values.")
	}
	paired, unpaired := false, false
	for _, t := range g.Tables {
		p, u := t.Methods()
		paired, unpaired = paired || p, unpaired || u
	}
	if paired {
		notes = append(notes, "Ratios are lock/"+g.Base+": the median over n pairs of samples taken in turns, interval by order statistics of the pairs, "+level+" or more.")
	}
	if unpaired {
		notes = append(notes, "Ratios with samples not taken in turns: the median of all quotients, interval by the Mann-Whitney distribution, "+level+" or more.")
	}
	return append(notes,
		"Better or worse: the interval excludes 1. Each verdict is for its row alone: without any difference about 1 row in "+oneIn(rep.Confidence)+" would still get one.")
}

// oneIn is the reciprocal of the error rate: 20 at 95%.
func oneIn(confidence float64) string { return fmt.Sprintf("%.3g", 1/(1-confidence)) }
