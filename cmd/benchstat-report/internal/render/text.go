// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/facts"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/stats"
)

// Text writes the report for a terminal.
func Text(w io.Writer, rep *report.Report) error {
	var b strings.Builder
	for i, g := range rep.Groups {
		if i > 0 {
			b.WriteString("\n\n")
		}
		s := facts.Of(g)
		s.Lines = append(s.Lines, facts.Line{Label: "files", Text: strings.Join(g.Files, ", ")})
		Facts(&b, s)
		textGroup(&b, rep, g)
	}
	b.WriteString(conclusion(rep))
	_, err := io.WriteString(w, b.String())
	return err
}

// Tables is Text without what the numbers were measured on.
func Tables(w io.Writer, rep *report.Report) error {
	var b strings.Builder
	for _, g := range rep.Groups {
		textGroup(&b, rep, g)
	}
	b.WriteString(conclusion(rep))
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// Facts writes what is known about a machine, the calibration before its name.
func Facts(b *strings.Builder, s facts.Sheet) {
	for _, l := range s.Calibration {
		fmt.Fprintf(b, "%-16s%s\n", l.Label, l.Text)
	}
	fmt.Fprintf(b, "%-16s%s\n", "processor", s.Title)
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
	tables, left := shown(rep, g)
	for _, t := range tables {
		fmt.Fprintf(b, "\n%s\n", Caption(t))
		unitGrid(g, t).text(b)
	}
	b.WriteString("\n")
	if left != "" {
		b.WriteString(left + "\n")
	}
	for _, n := range Notes(rep, g) {
		b.WriteString(n + "\n")
	}
}

// shown are the tables to print, and the line that says which ones were left out.
func shown(rep *report.Report, g *report.Group) (tables []*report.Table, left string) {
	tables, others := g.Main()
	if rep.All || len(others) == 0 {
		return g.Tables, ""
	}
	var units []string
	for _, t := range others {
		units = append(units, t.Unit)
	}
	return tables, fmt.Sprintf("%d more with -all: %s.", len(others), strings.Join(units, ", "))
}

// conclusion repeats at the end what matters most, with a warning that concerns it.
func conclusion(rep *report.Report) string {
	var b strings.Builder
	for _, g := range rep.Groups {
		found := Findings(g)
		if len(found) == 0 {
			continue
		}
		b.WriteString("\n")
		s := facts.Of(g)
		if len(rep.Groups) > 1 {
			b.WriteString(s.Title + ":\n")
		}
		for _, f := range found {
			b.WriteString(f + "\n")
		}
		for _, w := range s.Warnings {
			b.WriteString("warning: " + w + "\n")
		}
	}
	return b.String()
}

// Findings says in a sentence for each lock what matters most: throughput, then
// the tail of the waits.
func Findings(g *report.Group) []string {
	var all []string
	for _, lock := range g.Locks[1:] {
		var parts []string
		for _, f := range []struct{ unit, words string }{
			{"acq/s", "throughput"}, {"p999-sec", "99.9th percentile of the wait"}, {"max-sec", "longest wait"},
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
	notes := []string{"Medians with the larger distance to a bound of their interval (" + level + " or more); >10x where that is more than ten times away."}
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
	if g.Short() {
		notes = append(notes, fmt.Sprintf("Too few samples for an interval in some rows, which are unknown for that reason: use -count %d or more with go test, -samples %[1]d or more with benchstat-report.", enough(rep.Confidence)))
	}
	if wide(g) {
		notes = append(notes, fmt.Sprintf("A geomean is n/a where the interval of one of its rows spans more than a factor of %d: that row alone could move it anywhere.", stats.WideFactor))
	}
	return append(notes,
		"Better or worse: the interval excludes 1. Each verdict is for its row alone: without any difference about 1 row in "+oneIn(rep.Confidence)+" would still get one.")
}

// enough is the number of pairs that have an interval: 6 at 95%.
func enough(confidence float64) int { return int(math.Ceil(1 - math.Log2(1-confidence))) }

// wide tells whether some mean is not shown because of a wide interval.
func wide(g *report.Group) bool {
	for _, t := range g.Tables {
		for _, m := range t.Means {
			if m.Wide > 0 {
				return true
			}
		}
	}
	return false
}

// oneIn is the reciprocal of the error rate: 20 at 95%.
func oneIn(confidence float64) string { return fmt.Sprintf("%.3g", 1/(1-confidence)) }
