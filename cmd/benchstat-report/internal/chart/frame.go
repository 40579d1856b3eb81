// SPDX-License-Identifier: BSD-3-Clause

package chart

import (
	"fmt"
	"strconv"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
)

// Sizes in the picture's own pixels; the page scales the whole.
const (
	width  = 600.0
	height = 340.0
	left   = 62.0
	right  = 16.0
	top    = 50.0
	bottom = 46.0
)

// A Text names a picture.
type Text struct {
	ID    string // unique on the page, a letter first
	Title string
	Desc  string
}

// begin opens the picture, with its names for those who do not see it.
func (d *drawing) begin(t Text, class string) {
	d.open("svg", "viewBox", fmt.Sprintf("0 0 %v %v", width, height), "class", "chart "+class,
		"role", "img", "aria-labelledby", t.ID+"-t "+t.ID+"-d")
	d.WriteString("\n")
	d.leaf("title", t.Title, "id", t.ID+"-t")
	d.leaf("desc", t.Desc, "id", t.ID+"-d")
}

// xAxis draws the goroutines, on a log scale, labelled where they were measured.
func (d *drawing) xAxis(xs []float64, pad float64) scale {
	s := scale{lo: xs[0], hi: xs[len(xs)-1], from: left + pad, to: width - right - pad, log: true}
	y := height - bottom
	for _, x := range xs {
		d.line(s.at(x), y, s.at(x), y+5, "axis")
	}
	for _, x := range spaced(xs, s, 28) {
		d.label(s.at(x), y+19, "middle", "tick", strconv.FormatFloat(x, 'f', -1, 64))
	}
	d.label((left+width-right)/2, height-8, "middle", "name", "goroutines (log scale)")
	return s
}

// yAxis draws rules and labels; name stands above the axis.
func (d *drawing) yAxis(ticks []float64, log bool, name string, text func(float64) string) scale {
	s := scale{lo: ticks[0], hi: ticks[len(ticks)-1], from: height - bottom, to: top, log: log}
	for i, v := range ticks {
		class := "rule"
		if i == 0 {
			class = "axis"
		}
		d.line(left, s.at(v), width-right, s.at(v), class)
		d.label(left-8, s.at(v)+4, "end", "tick", text(v))
	}
	d.label(4, top-12, "start", "name", name)
	return s
}

// legend names the series in a row above the picture.
func (d *drawing) legend(names []string, y float64, marks bool) {
	x := left
	for i, name := range names {
		d.line(x, y-4, x+26, y-4, "curve "+series(i)+" "+dash(i))
		if marks {
			d.mark(i, point{x + 13, y - 4}, "")
		}
		d.label(x+32, y, "start", "key", name)
		x += 32 + textWidth(name) + 18
	}
}

// textWidth estimates the width of a legend's text, on the generous side.
func textWidth(s string) float64 { return 7.2 * float64(len([]rune(s))) }

// dash is the class of the line of series i.
func dash(i int) string { return "d" + strconv.Itoa(i%4) }

// short drops the zeros of a prefixed value: 5.000M is 5M on an axis.
func short(v float64, unit string) string {
	return trimZeros(format.Value(v, unit))
}

// trimZeros removes a fraction of zeros before a prefix or a unit.
func trimZeros(s string) string {
	end := 0
	for end < len(s) && (s[end] == '.' || s[end] >= '0' && s[end] <= '9') {
		end++
	}
	num, rest := s[:end], s[end:]
	dot := false
	for i := range num {
		dot = dot || num[i] == '.'
	}
	if !dot {
		return s
	}
	for num[len(num)-1] == '0' {
		num = num[:len(num)-1]
	}
	if num[len(num)-1] == '.' {
		num = num[:len(num)-1]
	}
	return num + rest
}
