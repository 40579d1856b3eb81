// SPDX-License-Identifier: BSD-3-Clause

package chart

import (
	"fmt"
	"html/template"
	"math"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
)

// A Ladder is the waits of one lock under one load. Rungs go by Rungs' names; NaN
// is one that was not measured.
type Ladder struct {
	X     float64
	Rungs [4]float64
}

// Rungs are the names of the rungs.
var Rungs = [4]string{"p50", "p99", "p99.9", "max"}

// A Side is all ladders of one lock.
type Side struct {
	Name    string
	Ladders []Ladder // by X
}

// Waits draws, at each number of goroutines, a ladder for each lock: from the
// median wait at its foot to the longest wait at its top, on a log scale. It
// returns "" where there is nothing to draw.
func Waits(t Text, sides []Side, unit string) template.HTML {
	xs, lo, hi := extent(sides)
	if len(xs) == 0 || !(lo > 0) {
		return ""
	}
	d := new(drawing)
	d.begin(t, "waits")
	y := d.yAxis(decades(lo, hi), true, "wait (log scale)", func(v float64) string { return short(v, unit) })
	const step = 15.0
	half := step * float64(len(sides)-1) / 2
	x := d.xAxis(xs, half+16)
	var names []string
	for i, s := range sides {
		names = append(names, s.Name)
		for _, l := range s.Ladders {
			d.ladder(i, s.Name, l, x.at(l.X)-half+step*float64(i), y, unit)
		}
	}
	d.legend(names, 18, false)
	d.rungKey()
	d.WriteString("</svg>")
	return template.HTML(d.String()) // built by escaping writers only: C2
}

// extent returns the goroutines, and the least and the largest positive wait.
func extent(sides []Side) (xs []float64, lo, hi float64) {
	lo = math.Inf(1)
	for _, s := range sides {
		for _, l := range s.Ladders {
			xs = append(xs, l.X)
			for _, v := range l.Rungs {
				if v > 0 {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	if hi == 0 {
		return nil, 0, 0
	}
	return distinct(xs), lo, hi
}

// ladder draws one: the stile between the ends, then a rung for each quantile.
func (d *drawing) ladder(i int, name string, l Ladder, x float64, y scale, unit string) {
	d.open("g", "class", "ladder "+series(i))
	title := fmt.Sprintf("%s, %v goroutines:", name, l.X)
	foot, head := math.NaN(), math.NaN()
	for k, v := range l.Rungs {
		if math.IsNaN(v) {
			continue
		}
		title += " " + Rungs[k] + " " + format.Value(v, unit)
		if head = y.clamped(v); math.IsNaN(foot) {
			foot = head
		}
	}
	d.leaf("title", title)
	if !math.IsNaN(foot) {
		d.line(x, foot, x, head, "stile "+dash(i))
	}
	for k, v := range l.Rungs {
		if !math.IsNaN(v) {
			d.rung(k, x, y.clamped(v))
		}
	}
	d.close("g")
}

// rung draws one quantile; each has a shape of its own.
func (d *drawing) rung(k int, x, y float64) {
	switch k {
	case 0:
		d.empty("circle", "cx", x, "cy", y, "r", 3.5, "class", "full")
	case 1:
		d.line(x-5, y, x+5, y, "rung")
	case 2:
		d.empty("path", "d", path([]point{{x, y - 4}, {x + 4, y}, {x, y + 4}, {x - 4, y}}, true), "class", "open")
	case 3:
		d.empty("path", "d", path([]point{{x, y - 5}, {x + 5, y + 3.5}, {x - 5, y + 3.5}}, true), "class", "full")
	}
}

// rungKey explains the shapes, right of the axis' name.
func (d *drawing) rungKey() {
	x := width - right - 250
	d.open("g", "class", "ladder neutral")
	for k, name := range Rungs {
		d.rung(k, x, top-16)
		d.label(x+10, top-12, "start", "key", name)
		x += 28 + textWidth(name)
	}
	d.close("g")
}
