// SPDX-License-Identifier: BSD-3-Clause

package chart

import (
	"fmt"
	"html/template"
	"math"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
)

// A Curve is one lock over numbers of goroutines.
type Curve struct {
	Name   string
	Points []Point // by X
}

// A Point is a median with its interval; infinite bounds are no interval.
type Point struct {
	X         float64
	Y, Lo, Hi float64
	N         int
}

// Throughput draws a value per second against goroutines, with a band for the
// confidence interval of each curve. It returns "" where there is nothing to draw.
func Throughput(t Text, curves []Curve, unit string) template.HTML {
	var xs, tops []float64
	for _, c := range curves {
		for _, p := range c.Points {
			xs, tops = append(xs, p.X), append(tops, p.Y)
			if bounded(p) {
				tops = append(tops, p.Hi)
			}
		}
	}
	if len(xs) == 0 {
		return ""
	}
	d := new(drawing)
	d.begin(t, "throughput")
	y := d.yAxis(linearTicks(distinct(tops)[len(distinct(tops))-1], 5), false, "acquisitions per second",
		func(v float64) string { return short(v, unit) })
	x := d.xAxis(distinct(xs), 14)
	var names []string
	for i, c := range curves {
		names = append(names, c.Name)
		d.band(i, c, x, y)
	}
	for i, c := range curves {
		d.curve(i, c, x, y, unit)
	}
	d.legend(names, 18, true)
	d.WriteString("</svg>")
	return template.HTML(d.String()) // built by escaping writers only: C2
}

func bounded(p Point) bool {
	return !math.IsInf(p.Lo, 0) && !math.IsInf(p.Hi, 0) && !math.IsNaN(p.Lo+p.Hi)
}

// band draws the interval of each stretch of points that have one.
func (d *drawing) band(i int, c Curve, x, y scale) {
	var lower, upper []point
	flush := func() {
		if len(lower) > 1 {
			for k := len(upper) - 1; k >= 0; k-- {
				lower = append(lower, upper[k])
			}
			d.empty("path", "d", path(lower, true), "class", "band "+series(i))
		}
		lower, upper = nil, nil
	}
	for _, p := range c.Points {
		if !bounded(p) {
			flush()
			continue
		}
		lower = append(lower, point{x.at(p.X), y.clamped(p.Lo)})
		upper = append(upper, point{x.at(p.X), y.clamped(p.Hi)})
	}
	flush()
}

// curve draws the line through the medians and a mark on each.
func (d *drawing) curve(i int, c Curve, x, y scale, unit string) {
	var ps []point
	for _, p := range c.Points {
		ps = append(ps, point{x.at(p.X), y.clamped(p.Y)})
	}
	if len(ps) > 1 {
		d.empty("path", "d", path(ps, false), "class", "curve "+series(i)+" "+dash(i))
	}
	for k, p := range c.Points {
		title := fmt.Sprintf("%s, %v goroutines: %s", c.Name, p.X, format.Value(p.Y, unit))
		if bounded(p) {
			title += fmt.Sprintf(" [%s, %s]", format.Value(p.Lo, unit), format.Value(p.Hi, unit))
			d.line(ps[k].x, y.clamped(p.Lo), ps[k].x, y.clamped(p.Hi), "whisker "+series(i))
		}
		d.mark(i, ps[k], fmt.Sprintf("%s, n=%d", title, p.N))
	}
}
