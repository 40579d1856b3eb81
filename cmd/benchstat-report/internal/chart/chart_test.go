// SPDX-License-Identifier: BSD-3-Clause

package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func curves() []Curve {
	return []Curve{
		{"std", []Point{{1, 6e6, 5e6, 7e6, 10}, {2, 5e6, 4e6, 5.5e6, 10}, {64, 3e6, 0, math.Inf(1), 3}}},
		{`<b>&"`, []Point{{1, 7e6, 6e6, 8e6, 10}, {64, 0, 0, 0, 10}}},
	}
}

func sides() []Side {
	nan := math.NaN()
	return []Side{
		{"std", []Ladder{{1, [4]float64{4e-8, 5e-8, 6e-8, 3e-5}}, {64, [4]float64{1e-7, 9e-3, 3e-2, 1e-1}}}},
		{`<b>&"`, []Ladder{{1, [4]float64{0, nan, 6e-8, 3e-5}}, {64, [4]float64{nan, nan, nan, nan}}}},
	}
}

var text = Text{ID: "x", Title: "A <title>", Desc: "A & B"}

// Pictures are well-formed, name themselves, escape what they are given (C2), and
// keep all coordinates on the picture (C3).
func TestWellFormed(t *testing.T) {
	for name, svg := range map[string]string{
		"throughput": string(Throughput(text, curves(), "acq/s")),
		"waits":      string(Waits(text, sides(), "p50-sec")),
	} {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if el, ok := tok.(xml.StartElement); ok && el.Name.Local == "b" {
				t.Errorf("%s: a lock's name became markup", name)
			}
		}
		for _, want := range []string{`role="img"`, `aria-labelledby="x-t x-d"`, "A &lt;title&gt;", "A &amp; B", "&lt;b&gt;&amp;"} {
			if !strings.Contains(svg, want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: a coordinate is not a number", name)
		}
		for _, m := range regexp.MustCompile(`\s(?:x|y|x1|y1|x2|y2|cx|cy)="([^"]+)"`).FindAllStringSubmatch(svg, -1) {
			if v, err := strconv.ParseFloat(m[1], 64); err != nil || v < 0 || v > width {
				t.Errorf("%s: coordinate %s", name, m[0])
			}
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	if s := Throughput(text, []Curve{{Name: "std"}}, "acq/s"); s != "" {
		t.Errorf("throughput of nothing: %q", s)
	}
	zeros := []Side{{"std", []Ladder{{X: 1}}}}
	for _, s := range [][]Side{nil, {{Name: "std"}}, zeros} {
		if svg := Waits(text, s, "p50-sec"); svg != "" {
			t.Errorf("waits of %v: %q", s, svg)
		}
	}
}

// One number of goroutines only is drawn in the middle.
func TestSingle(t *testing.T) {
	svg := string(Throughput(text, []Curve{{"std", []Point{{4, 1, 1, 1, 6}}}}, "acq/s"))
	if mid := coord((left + width - right) / 2); !strings.Contains(svg, `cx="`+mid+`"`) {
		t.Errorf("no mark at %s", mid)
	}
}

// The band leaves out points without an interval instead of bridging them.
func TestBandStops(t *testing.T) {
	svg := string(Throughput(text, curves()[:1], "acq/s"))
	if strings.Count(svg, `class="band s0"`) != 1 || strings.Count(svg, `class="whisker s0"`) != 2 {
		t.Error("want one band over the first two points and two whiskers")
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		top  float64
		want string
	}{
		{7e6, "[0 2e+06 4e+06 6e+06 8e+06]"}, {1, "[0 0.2 0.4 0.6 0.8 1]"}, {0, "[0 1]"},
		{1.2e3, "[0 250 500 750 1000 1250]"}, {math.Inf(1), "[0 1]"},
	} {
		got := fmt.Sprint(linearTicks(c.top, 5))
		got = strings.ReplaceAll(strings.ReplaceAll(got, "0.6000000000000001", "0.6"), "0.30000000000000004", "0.3")
		if got != c.want {
			t.Errorf("linearTicks(%v) = %s, want %s", c.top, got, c.want)
		}
	}
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{4e-8, 3e-2, "[1e-08 1e-07 1e-06 1e-05 0.0001 0.001 0.01 0.1]"},
		{1e-3, 1e-3, "[0.001 0.01]"}, {2, 9, "[1 10]"},
	} {
		var got []string
		for _, v := range decades(c.lo, c.hi) {
			got = append(got, strconv.FormatFloat(v, 'g', 3, 64))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("decades(%v, %v) = %v, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// Labels never overlap, and the largest is always there.
func TestSpaced(t *testing.T) {
	s := scale{lo: 1, hi: 1024, from: 0, to: 300, log: true}
	all := []float64{1, 2, 3, 4, 5, 6, 7, 8, 16, 1000, 1024}
	kept := spaced(all, s, 28)
	if kept[0] != 1 || kept[len(kept)-1] != 1024 {
		t.Errorf("kept %v, want both ends", kept)
	}
	for i := 1; i < len(kept); i++ {
		if s.at(kept[i])-s.at(kept[i-1]) < 28 {
			t.Errorf("%v and %v overlap", kept[i-1], kept[i])
		}
	}
	if one := spaced([]float64{4}, scale{lo: 4, hi: 4, log: true}, 28); len(one) != 1 {
		t.Errorf("one value gives %v", one)
	}
}

func TestTrimZeros(t *testing.T) {
	for in, want := range map[string]string{"5.000M": "5M", "0": "0", "10.00ns": "10ns", "2.500M": "2.5M", "100": "100", "1s": "1s"} {
		if got := trimZeros(in); got != want {
			t.Errorf("trimZeros(%s) = %s, want %s", in, got, want)
		}
	}
}
