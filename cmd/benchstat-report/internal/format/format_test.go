// SPDX-License-Identifier: BSD-3-Clause

package format

import (
	"math"
	"testing"
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
