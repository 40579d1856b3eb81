// SPDX-License-Identifier: BSD-3-Clause

// Package format writes measurements for people: values with a prefix, ratios as
// ratios, units by name. Machine formats (CSV, JSON) do not use it.
package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/stats"
)

// An unit's kind decides how its values are written.
type kind int

const (
	plain   kind = iota // a pure number: 0.985, never 985m
	seconds             // 12.3ns
	rate                // 6.45M, per second
	bytes               // 4.00Ki
)

func kindOf(unit string) kind {
	num, den, _ := strings.Cut(unit, "/")
	switch {
	case num == "sec" || strings.HasSuffix(num, "-sec"):
		return seconds
	case den == "s":
		return rate
	case benchunit.ClassOf(unit) == benchunit.Binary:
		return bytes
	}
	return plain
}

// Value writes v, a value of the tidied unit, with three or four digits.
func Value(v float64, unit string) string {
	switch {
	case math.IsNaN(v):
		return "?"
	case math.IsInf(v, 0):
		return infinity(v)
	}
	switch kindOf(unit) {
	case seconds:
		if v == 0 {
			return "0s"
		}
		return scaled(v, benchunit.Decimal) + "s"
	case rate:
		return scaled(v, benchunit.Decimal)
	case bytes:
		return scaled(v, benchunit.Binary) + "B"
	}
	return number(v)
}

func infinity(v float64) string {
	if v < 0 {
		return "-∞"
	}
	return "∞"
}

// scaled writes v with a prefix.
func scaled(v float64, c benchunit.Class) string {
	if v == 0 {
		return "0"
	}
	if s := benchunit.Scale(v, c); len(s) <= saneWidth {
		return s
	}
	return scientific(v) // a size for which there is no prefix
}

// saneWidth is how many characters a number may have before it is written as
// 1.5e+99: no measurement is as large, or as small, but a file can say anything.
const saneWidth = 12

func scientific(v float64) string { return strconv.FormatFloat(v, 'e', 3, 64) }

// fixed writes v with that many decimals, within a sane width.
func fixed(v float64, decimals int) string {
	if s := strconv.FormatFloat(v, 'f', decimals, 64); len(s) <= saneWidth {
		return s
	}
	return scientific(v)
}

// number writes a pure number: whole ones whole, others like ratios.
func number(v float64) string {
	if a := math.Abs(v); a >= 1000 || v == math.Trunc(v) {
		return fixed(v, 0)
	}
	if v < 0 {
		return "-" + Ratio(-v)
	}
	return Ratio(v)
}

// Spread writes how far the interval lies from the centre: "± 6%", and "± >10x"
// where a bound is more than ten times, or less than a tenth of, the centre.
func Spread(center, lo, hi float64) string {
	if center > 0 && lo >= 0 && !math.IsInf(hi, 0) && (hi > 10*center || lo < center/10) {
		return "± >10x"
	}
	return "± " + benchmath.Summary{Center: center, Lo: lo, Hi: hi}.PctRangeString()
}

// Ratio writes a ratio as a ratio.
func Ratio(r float64) string {
	switch {
	case math.IsNaN(r):
		return "?"
	case math.IsInf(r, 0):
		return infinity(r)
	case r == 0:
		return "0"
	case r < 0.01: // two digits, a zero at the end among them
		return fixed(r, 1-int(math.Floor(math.Log10(r))))
	case r < 10:
		return fixed(r, 3)
	case r < 100:
		return fixed(r, 2)
	}
	return fixed(r, 0)
}

// Mean writes a geometric mean, or "n/a" where the mean is no size (stats, S4).
func Mean(m stats.Mean) string {
	switch {
	case m.Rows == 0:
		return "-"
	case m.Wide > 0:
		return "n/a"
	}
	return Ratio(m.Ratio)
}

// Over says which rows a mean covers, or why there is none.
func Over(m stats.Mean) string {
	switch {
	case m.Wide > 0:
		return fmt.Sprintf("too wide: %d of %s", m.Wide, Rows(m.Of))
	case m.Rows == m.Of:
		return "all " + Rows(m.Of)
	}
	return fmt.Sprintf("%d of %s", m.Rows, Rows(m.Of))
}

// Rows counts rows.
func Rows(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// Interval writes the bounds of a ratio.
func Interval(lo, hi float64) string { return "[" + Ratio(lo) + ", " + Ratio(hi) + "]" }

// Direction says in words which way is better.
func Direction(better int) string {
	switch {
	case better > 0:
		return "higher is better"
	case better < 0:
		return "lower is better"
	}
	return "no better direction stated"
}

// names of the units that the lock benchmarks write.
var names = map[string]string{
	"acq/s":              "acquisitions per second",
	"sec/op":             "time per acquisition, all goroutines together",
	"contention-sec/op":  "time per acquisition above a perfect lock",
	"p50-sec":            "median wait for the lock",
	"p99-sec":            "wait for the lock, 99th percentile",
	"p999-sec":           "wait for the lock, 99.9th percentile",
	"max-sec":            "longest wait for the lock",
	"jain":               "Jain's fairness index over goroutines, 1 is even",
	"minmax":             "fewest over most acquisitions of a goroutine, 1 is even",
	"parks/op":           "times put to sleep per acquisition",
	"handoffs/op":        "hand-overs per acquisition",
	"remote-handoffs/op": "hand-overs to another cluster or node per acquisition",
}

// Unit says in words what a tidied unit measures, or "".
func Unit(unit string) string { return names[unit] }

// Percent writes a confidence level: "95%".
func Percent(c float64) string { return fmt.Sprintf("%.4g%%", 100*c) }
