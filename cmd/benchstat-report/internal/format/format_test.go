// SPDX-License-Identifier: BSD-3-Clause

package format

import (
	"math"
	"testing"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/stats"
)

func TestValue(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{1.2345e-8, "sec/op", "12.35ns"}, {0, "p99-sec", "0s"}, {0.25, "contention-sec/op", "250.0ms"},
		{6455000, "acq/s", "6.455M"}, {0, "acq/s", "0"}, {4096, "B/op", "4.000KiB"},
		{0.985, "jain", "0.985"}, {1, "jain", "1"}, {0.00123, "minmax", "0.0012"}, {-0.5, "minmax", "-0.500"},
		{12345, "things", "12345"}, {2.5, "parks/op", "2.500"},
		{1e299, "sec/op", "1.000e+299s"}, {1e-300, "sec/op", "1.000e-300s"}, {-1e308, "acq/s", "-1.000e+308"}, {1e300, "B/op", "1.000e+300B"},
		{1e12, "things", "1.000e+12"}, {999999999999, "things", "999999999999"}, {1e-300, "jain", "1.000e-300"},
		{math.Inf(1), "acq/s", "∞"}, {math.Inf(-1), "sec/op", "-∞"}, {math.NaN(), "jain", "?"},
	} {
		if got := Value(c.v, c.unit); got != c.want {
			t.Errorf("Value(%v, %s) = %s, want %s", c.v, c.unit, got, c.want)
		}
	}
}

// Ratios are ratios: no prefix, no percent, two digits or more.
func TestRatio(t *testing.T) {
	for r, want := range map[float64]string{
		0: "0", 0.00123: "0.0012", 0.001: "0.0010", 0.0123: "0.012", 0.985: "0.985", 1: "1.000", 12.345: "12.35", 1234.5: "1234",
		1e300: "1.000e+300", 1e-300: "1.000e-300", 1.234e-9: "0.0000000012",
		math.Inf(1): "∞",
	} {
		if got := Ratio(r); got != want {
			t.Errorf("Ratio(%v) = %s, want %s", r, got, want)
		}
	}
	if got := Ratio(math.NaN()); got != "?" {
		t.Errorf("Ratio(NaN) = %s", got)
	}
}

// A spread of more than ten times is not a percentage; one without an end has none.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		center, lo, hi float64
		want           string
	}{
		{1, 0.94, 1.02, "± 6%"}, {1, 0.5, 10, "± 900%"}, {1, 0.5, 10.1, "± >10x"}, {1, 0.09, 1.1, "± >10x"},
		{1, 0, 3657, "± >10x"}, {0, 0, 0, "± 0%"}, {1, 0.5, math.Inf(1), "± ∞"}, {-1, -2, 1, "± ?"},
	} {
		if got := Spread(c.center, c.lo, c.hi); got != c.want {
			t.Errorf("Spread(%v, %v, %v) = %s, want %s", c.center, c.lo, c.hi, got, c.want)
		}
	}
}

func TestMean(t *testing.T) {
	for _, c := range []struct {
		m          stats.Mean
		mean, over string
	}{
		{stats.Mean{Ratio: 1.5, Rows: 6, Of: 6}, "1.500", "all 6 rows"},
		{stats.Mean{Ratio: 1.5, Rows: 1, Of: 6}, "1.500", "1 of 6 rows"},
		{stats.Mean{Ratio: 1.5, Rows: 6, Of: 6, Wide: 1}, "n/a", "too wide: 1 of 6 rows"},
		{stats.Mean{Ratio: math.NaN(), Of: 1}, "-", "0 of 1 row"},
	} {
		if Mean(c.m) != c.mean || Over(c.m) != c.over {
			t.Errorf("%+v: %s, %s; want %s, %s", c.m, Mean(c.m), Over(c.m), c.mean, c.over)
		}
	}
}
