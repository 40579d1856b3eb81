// SPDX-License-Identifier: BSD-3-Clause

// Package render writes a report as text, Markdown, CSV and JSON. Text and
// Markdown are for people and show rounded values with prefixes; CSV and JSON are
// for programs and show every digit, in tidied units (seconds, bytes).
package render

import (
	"strings"
	"unicode/utf8"
)

// A grid is a table of text: what text and Markdown have in common.
type grid struct {
	head  []string
	right []bool // by column: aligned to the right
	rows  [][]string
}

func (g *grid) column(title string, right bool) {
	g.head, g.right = append(g.head, title), append(g.right, right)
}

// text lays the grid out with two spaces between columns.
func (g *grid) text(b *strings.Builder) {
	widths := make([]int, len(g.head))
	for _, row := range append([][]string{g.head}, g.rows...) {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, row := range append([][]string{g.head}, g.rows...) {
		var line strings.Builder
		for i, c := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if g.right[i] {
				line.WriteString(fill + c)
			} else {
				line.WriteString(c + fill)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// markdown writes the grid as a Markdown table.
func (g *grid) markdown(b *strings.Builder) {
	write := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + escape(c) + " ")
		}
		b.WriteString("|\n")
	}
	write(g.head)
	for _, r := range g.right {
		if r {
			b.WriteString("|--:")
		} else {
			b.WriteString("|:--")
		}
	}
	b.WriteString("|\n")
	for _, row := range g.rows {
		write(row)
	}
}
