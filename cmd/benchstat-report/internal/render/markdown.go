// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"fmt"
	"io"
	"regexp"
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
	b.WriteString(escapeLines(conclusion(rep)))
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownGroup(b *strings.Builder, rep *report.Report, g *report.Group) {
	s := facts.Of(g)
	fmt.Fprintf(b, "## %s\n\n", escape(s.Title))
	for _, l := range append(append(s.Calibration, s.Lines...), facts.Line{Label: "files", Text: strings.Join(g.Files, ", ")}) {
		fmt.Fprintf(b, "- %s: %s\n", escape(l.Label), escape(l.Text))
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(b, "- **warning: %s**\n", escape(w))
	}
	if len(g.Locks) > 1 {
		fmt.Fprintf(b, "\n### %s, rows by verdict\n\n", escape(Against(g)))
		summaryGrid(g).markdown(b)
	}
	tables, left := shown(rep, g)
	for _, t := range tables {
		fmt.Fprintf(b, "\n### %s\n\n", escape(Caption(t)))
		unitGrid(g, t).markdown(b)
	}
	b.WriteString("\n")
	if left != "" {
		b.WriteString(escapeLines(left) + "\n")
	}
	for _, n := range Notes(rep, g) {
		b.WriteString(escapeLines(n) + "\n")
	}
}

// inline are the characters that mean something anywhere in a line. A bracket does
// so only where a link's target could follow, so intervals stay as they are.
var inline = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `~`, `\~`, `|`, `\|`,
	`](`, `\](`, `][`, `\][`, `]:`, `\]:`, `&`, `&amp;`, `<`, `&lt;`)

// escape makes Markdown show s as it is, in the middle of a line or a cell: names
// and keys come from files that anybody may have written.
func escape(s string) string { return inline.Replace(s) }

// block is what means something at the start of a line: headings, quotes, lists,
// and underlines that make the line before a heading.
var block = regexp.MustCompile(`(?m)^([0-9]*)([-+=#>]|[.)](?:[ \t]|$))`)

// escapeLines is escape for whole lines.
func escapeLines(s string) string { return block.ReplaceAllString(escape(s), `$1\$2`) }
