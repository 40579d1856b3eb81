// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/facts"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// Markdown writes the report as GitHub-flavoured Markdown.
func Markdown(w io.Writer, rep *report.Report) error {
	var b strings.Builder
	for i, g := range rep.Groups {
		if i > 0 {
			b.WriteString("\n")
		}
		markdownGroup(&b, rep, g)
	}
	b.WriteString(conclusion(rep))
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownGroup(b *strings.Builder, rep *report.Report, g *report.Group) {
	s := facts.Of(g)
	fmt.Fprintf(b, "## %s\n\n", s.Title)
	for _, l := range append(append(s.Calibration, s.Lines...), facts.Line{Label: "files", Text: strings.Join(g.Files, ", ")}) {
		fmt.Fprintf(b, "- %s: %s\n", l.Label, l.Text)
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(b, "- **warning: %s**\n", w)
	}
	if len(g.Locks) > 1 {
		fmt.Fprintf(b, "\n### %s, rows by verdict\n\n", Against(g))
		summaryGrid(g).markdown(b)
	}
	tables, left := shown(rep, g)
	for _, t := range tables {
		fmt.Fprintf(b, "\n### %s\n\n", Caption(t))
		unitGrid(g, t).markdown(b)
	}
	b.WriteString("\n")
	if left != "" {
		b.WriteString(left + "\n")
	}
	for _, n := range Notes(rep, g) {
		fmt.Fprintf(b, "%s\n", n)
	}
}
