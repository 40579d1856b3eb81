// SPDX-License-Identifier: BSD-3-Clause

package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/perf/benchmath"
)

func near(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9 }

func ones(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = 1
	}
	return xs
}

// With ten pairs the interval runs from the second smallest to the second largest
// quotient, and its confidence is 1 - 2(1+10)/1024.
func TestPairedOrderStatistics(t *testing.T) {
	xs := []float64{10, 1, 9, 2, 8, 3, 7, 4, 6, 5}
	r := Paired(ones(10), xs, 0.95)
	if r.Lo != 2 || r.Hi != 9 || !near(r.Center, 5.5) || !near(r.Confidence, 1-22.0/1024) || r.N != 10 {
		t.Errorf("%+v", r)
	}
	if v := r.Judge(1); v != Better {
		t.Errorf("higher is better, all above 1: %v", v)
	}
	if v := r.Judge(-1); v != Worse {
		t.Errorf("lower is better, all above 1: %v", v)
	}
	if v := r.Judge(0); v != Unknown {
		t.Errorf("no direction stated: %v", v)
	}
}

// A drift that meets both of a pair does not widen the interval.
func TestPairedDriftCancels(t *testing.T) {
	base := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	xs := make([]float64, len(base))
	for i, b := range base {
		xs[i] = 2 * b
	}
	if r := Paired(base, xs, 0.95); r.Center != 2 || r.Lo != 2 || r.Hi != 2 || r.Judge(1) != Better {
		t.Errorf("%+v", r)
	}
	if r := Unpaired(base, xs, 0.95); r.Judge(1) != Unknown {
		t.Errorf("the same without pairs: %+v; the example shows nothing", r)
	}
}

func TestTooFew(t *testing.T) {
	for n := range 9 {
		r := Paired(ones(n), twos(n), 0.95)
		if open := r.Problem != ""; open != (n < 6) || open && (r.Judge(1) != Unknown || !math.IsInf(r.Hi, 1) || r.Lo != 0) {
			t.Errorf("%d pairs: %+v", n, r)
		}
		u := Unpaired(ones(n), twos(n), 0.95)
		if open := u.Problem != ""; open != (n < 4) || open && u.Judge(1) != Unknown {
			t.Errorf("%d samples a side: %+v", n, u)
		}
	}
}

func twos(n int) []float64 {
	xs := ones(n)
	for i := range xs {
		xs[i] = 2
	}
	return xs
}

// S2 and S3.
func TestZeroAndNegative(t *testing.T) {
	zeros := make([]float64, 8)
	if r := Paired(zeros, zeros, 0.95); r.Center != 1 || r.Lo != 1 || r.Hi != 1 || r.Judge(1) != Unknown {
		t.Errorf("0/0: %+v", r)
	}
	if r := Paired(zeros, ones(8), 0.95); !math.IsInf(r.Center, 1) || !math.IsInf(r.Lo, 1) || r.Judge(-1) != Worse {
		t.Errorf("1/0: %+v", r)
	}
	if r := Paired(ones(8), zeros, 0.95); r.Center != 0 || r.Hi != 0 || r.Judge(-1) != Better {
		t.Errorf("0/1: %+v", r)
	}
	half := []float64{0, 0, 0, 0, 1, 1, 1, 1}
	if r := Paired(half, ones(8), 0.95); !math.IsInf(r.Center, 1) || r.Lo != 1 || r.Judge(1) != Unknown {
		t.Errorf("half of the base is 0: %+v", r)
	}
	if r := Unpaired(zeros, ones(8), 0.95); !math.IsInf(r.Center, 1) || r.Judge(-1) != Worse {
		t.Errorf("unpaired 1/0: %+v", r)
	}
	for _, r := range []Ratio{Paired([]float64{1, -1}, ones(2), 0.95), Unpaired(ones(9), append(ones(8), -1), 0.95)} {
		if r.Valid() || r.Problem == "" || r.Judge(1) != Unknown {
			t.Errorf("below zero: %+v", r)
		}
	}
}

// The unpaired interval excludes 1 where the U test rejects equality, and only there.
func TestUnpairedAgreesWithUTest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	excluded := 0
	for range 500 {
		n, m := 3+rnd.IntN(12), 3+rnd.IntN(12)
		a, b := sample(rnd, n, 1, 0.05), sample(rnd, m, 1.05, 0.05)
		r := Unpaired(a, b, 0.95)
		cmp := benchmath.AssumeNothing.Compare(
			benchmath.NewSample(a, &benchmath.DefaultThresholds), benchmath.NewSample(b, &benchmath.DefaultThresholds))
		out := r.Lo > 1 || r.Hi < 1
		if out != (cmp.P <= 0.05) {
			t.Errorf("%d+%d samples: interval [%v, %v], p=%v", n, m, r.Lo, r.Hi, cmp.P)
		}
		if out {
			excluded++
		}
	}
	if excluded < 50 || excluded > 450 {
		t.Errorf("%d of 500 excluded 1: the test has lost its edge", excluded)
	}
}

// Above exactU the normal approximation takes over without a jump.
func TestNormalTakesOver(t *testing.T) {
	for _, n := range []int{20, 25, 30} {
		exact, _ := criticalU(n, n, 0.025)
		approx, _ := normalU(n, n, 0.025)
		if d := exact - approx; d < -1 || d > 1 {
			t.Errorf("n=%d: rank %d exactly, %d by the approximation", n, exact, approx)
		}
	}
}

// sample draws n positive values around mean.
func sample(rnd *rand.Rand, n int, mean, noise float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = mean * math.Exp(noise*rnd.NormFloat64())
	}
	return xs
}

// Without a difference a verdict is given no more often than the level allows, also
// under noise that both of a pair share; with one it is found. The seed is fixed.
func TestErrorRates(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	const runs = 2000
	alarms, found := 0, 0
	for range runs {
		shared := sample(rnd, 10, 1, 0.3)
		base, same, faster := make([]float64, 10), make([]float64, 10), make([]float64, 10)
		for i, s := range shared {
			base[i] = s * math.Exp(0.03*rnd.NormFloat64())
			same[i] = s * math.Exp(0.03*rnd.NormFloat64())
			faster[i] = 1.1 * s * math.Exp(0.03*rnd.NormFloat64())
		}
		if Paired(base, same, 0.95).Judge(1) != Unknown {
			alarms++
		}
		if Paired(base, faster, 0.95).Judge(1) == Better {
			found++
		}
	}
	// True confidence of ten pairs is 97.9%, so 43 alarms are expected; 5% is promised.
	if alarms > runs/20 || alarms == 0 {
		t.Errorf("%d of %d alarms without a difference, want at most 5%%", alarms, runs)
	}
	if found < runs*95/100 {
		t.Errorf("a difference of 10%% found in %d of %d", found, runs)
	}
}

func TestGeoMean(t *testing.T) {
	m := GeoMean([]Ratio{{Center: 2, Lo: 1, Hi: 100, N: 1}, {Center: 8, Lo: 7, Hi: 9, N: 1}, {}, {Center: math.Inf(1), N: 1}, {Center: 0, N: 1}, {Center: math.NaN(), N: 1}})
	if !near(m.Ratio, 4) || m.Rows != 2 || m.Of != 6 || m.Wide != 0 {
		t.Errorf("%+v, want 4 over 2 of 6", m)
	}
	for _, r := range []Ratio{{Lo: 0.5, Hi: 50.1}, {Lo: 0, Hi: 2}, {Lo: 1, Hi: math.Inf(1)}} {
		if r.Center, r.N = 1, 1; GeoMean([]Ratio{r, {Center: 1, Lo: 1, Hi: 1, N: 1}}).Wide != 1 {
			t.Errorf("[%v, %v] is not wide", r.Lo, r.Hi)
		}
	}
	if m := GeoMean(nil); !math.IsNaN(m.Ratio) || m.Rows != 0 {
		t.Errorf("of nothing: %+v", m)
	}
}

func TestInTurns(t *testing.T) {
	for order, want := range map[string]bool{
		"": true, "b": true, "bl": true, "blbl": true, "bllb": true, "lblb": true, "bllbb": true,
		"bbll": false, "bbb": false, "blll": false,
	} {
		var seq []bool
		for _, c := range order {
			seq = append(seq, c == 'b')
		}
		if got := InTurns(seq); got != want {
			t.Errorf("InTurns(%s) = %v, want %v", order, got, want)
		}
	}
}
