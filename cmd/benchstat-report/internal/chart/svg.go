// SPDX-License-Identifier: BSD-3-Clause

package chart

import (
	"html"
	"strconv"
	"strings"
)

// A drawing is an SVG picture being written.
type drawing struct {
	strings.Builder
}

// attrs are alternating names and values; values are strings or float64.
func (d *drawing) tag(name string, attrs ...any) {
	d.WriteString("<" + name)
	for i := 0; i+1 < len(attrs); i += 2 {
		d.WriteString(" " + attrs[i].(string) + `="`)
		switch v := attrs[i+1].(type) {
		case float64:
			d.WriteString(coord(v))
		case string:
			d.WriteString(html.EscapeString(v))
		}
		d.WriteString(`"`)
	}
}

// open starts an element with children.
func (d *drawing) open(name string, attrs ...any) {
	d.tag(name, attrs...)
	d.WriteString(">")
}

func (d *drawing) close(name string) { d.WriteString("</" + name + ">\n") }

// empty writes an element without children.
func (d *drawing) empty(name string, attrs ...any) {
	d.tag(name, attrs...)
	d.WriteString("/>\n")
}

// leaf writes an element that holds only text.
func (d *drawing) leaf(name, text string, attrs ...any) {
	d.open(name, attrs...)
	d.WriteString(html.EscapeString(text))
	d.close(name)
}

// label writes text on the picture; anchor is start, middle or end.
func (d *drawing) label(x, y float64, anchor, class, text string) {
	d.leaf("text", text, "x", x, "y", y, "text-anchor", anchor, "class", class)
}

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	d.empty("line", "x1", x1, "y1", y1, "x2", x2, "y2", y2, "class", class)
}

// coord writes a coordinate to a tenth of a pixel.
func coord(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}

// A point is a place on the picture.
type point struct{ x, y float64 }

// path writes points as an SVG path.
func path(ps []point, closed bool) string {
	var b strings.Builder
	for i, p := range ps {
		if i == 0 {
			b.WriteString("M")
		} else {
			b.WriteString("L")
		}
		b.WriteString(coord(p.x) + " " + coord(p.y))
	}
	if closed {
		b.WriteString("Z")
	}
	return b.String()
}

// mark draws the mark of series i at p: shapes differ so that colour is not needed.
func (d *drawing) mark(i int, p point, title string) {
	const r = 4
	d.open("g", "class", "mark "+series(i))
	switch i % shapes {
	case 0:
		d.empty("circle", "cx", p.x, "cy", p.y, "r", float64(r))
	case 1:
		d.empty("rect", "x", p.x-r, "y", p.y-r, "width", float64(2*r), "height", float64(2*r))
	case 2:
		d.empty("path", "d", path([]point{{p.x, p.y - r - 1}, {p.x + r + 1, p.y + r}, {p.x - r - 1, p.y + r}}, true))
	case 3:
		d.empty("path", "d", path([]point{{p.x, p.y - r - 1}, {p.x + r + 1, p.y}, {p.x, p.y + r + 1}, {p.x - r - 1, p.y}}, true))
	case 4:
		d.empty("path", "d", path([]point{{p.x, p.y + r + 1}, {p.x + r + 1, p.y - r}, {p.x - r - 1, p.y - r}}, true))
	}
	if title != "" {
		d.leaf("title", title)
	}
	d.close("g")
}

// shapes is how many marks there are; maxSeries is how many colours a page has.
const (
	shapes    = 5
	maxSeries = 8
)

// series is the class that gives series i its colour.
func series(i int) string { return "s" + strconv.Itoa(i%maxSeries) }
