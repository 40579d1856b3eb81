// SPDX-License-Identifier: BSD-3-Clause

package stats

import (
	"math"
	"slices"
	"sort"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
)

// A Method is how a ratio's interval was found.
type Method string

const (
	MethodPaired   Method = "paired"   // order statistics of the quotients of pairs
	MethodUnpaired Method = "unpaired" // Mann-Whitney interval of all quotients
)

// A Ratio is value(lock) / value(base) with its interval. The bounds are 0 and
// +Inf where there are too few samples for the confidence asked.
type Ratio struct {
	Center, Lo, Hi float64
	Confidence     float64 // of this interval; at least what was asked
	N, NBase       int     // samples used; equal for pairs
	Method         Method
	Problem        string // why there is no ratio, or no end to the interval; else ""
}

// Problems of a Ratio that more samples would solve.
const (
	fewPairs   = "too few pairs for an interval"
	fewSamples = "too few samples for an interval"
)

// Short reports whether more samples would give the ratio an interval.
func (r Ratio) Short() bool { return r.Problem == fewPairs || r.Problem == fewSamples }

// WideFactor is how far the bounds of an interval may be apart before the ratio
// between them is no size to speak of.
const WideFactor = 100

// Wide reports whether the interval spans more than WideFactor, or has no end.
func (r Ratio) Wide() bool { return !(r.Lo > 0 && r.Hi <= WideFactor*r.Lo) }

// Valid reports whether Center is a ratio at all.
func (r Ratio) Valid() bool { return r.N > 0 && !math.IsNaN(r.Center) }

// Paired compares samples taken in turns: xs[k] belongs to base[k]. A sample
// without its partner (a run that was interrupted) is left out.
func Paired(base, xs []float64, confidence float64) Ratio {
	n := min(len(base), len(xs))
	r := Ratio{N: n, NBase: n, Method: MethodPaired}
	if bad := negative(base[:n], xs[:n]); bad || n == 0 {
		return r.without(bad)
	}
	qs := make([]float64, n)
	for i := range qs {
		qs[i] = finite(quotient(xs[i], base[i]))
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(qs, &benchmath.DefaultThresholds), confidence)
	r.Center, r.Lo, r.Hi, r.Confidence = s.Center, s.Lo, s.Hi, s.Confidence
	return r.bounded(len(s.Warnings) > 0, fewPairs)
}

// Unpaired compares two samples that have nothing to do with each other.
func Unpaired(base, xs []float64, confidence float64) Ratio {
	r := Ratio{N: len(xs), NBase: len(base), Method: MethodUnpaired}
	if bad := negative(base, xs); bad || len(base) == 0 || len(xs) == 0 {
		return r.without(bad)
	}
	qs := make([]float64, 0, len(base)*len(xs))
	for _, b := range base {
		for _, x := range xs {
			qs = append(qs, finite(quotient(x, b)))
		}
	}
	slices.Sort(qs)
	r.Center = (qs[(len(qs)-1)/2] + qs[len(qs)/2]) / 2
	k, tail := criticalU(len(base), len(xs), (1-confidence)/2)
	if k == 0 {
		return r.bounded(true, fewSamples)
	}
	r.Lo, r.Hi, r.Confidence = qs[k-1], qs[len(qs)-k], 1-2*tail
	return r.bounded(false, "")
}

// without is the answer where a ratio makes no sense.
func (r Ratio) without(negative bool) Ratio {
	r.Center, r.Lo, r.Hi, r.Problem = math.NaN(), 0, math.Inf(1), "no samples of both"
	if negative {
		r.Problem = "values below zero have no ratio"
	}
	return r
}

// bounded undoes finite, and opens the interval where the samples were too few.
func (r Ratio) bounded(open bool, why string) Ratio {
	if open {
		r.Lo, r.Hi, r.Confidence, r.Problem = 0, math.Inf(1), 1, why
	}
	for _, v := range []*float64{&r.Center, &r.Lo, &r.Hi} {
		if *v >= huge/4 {
			*v = math.Inf(1)
		}
	}
	return r
}

// huge stands for x/0 while medians are taken: the mean of a number and +Inf
// weighted by 0 would be NaN.
const huge = math.MaxFloat64 / 4

func finite(q float64) float64 { return min(q, huge) }

// quotient divides as S2 says.
func quotient(x, base float64) float64 {
	if x == base {
		return 1 // 0/0 among them
	}
	return x / base
}

func negative(sets ...[]float64) bool {
	for _, s := range sets {
		if slices.ContainsFunc(s, func(v float64) bool { return v < 0 }) {
			return true
		}
	}
	return false
}

// exactU is the largest product of sample sizes for which the exact distribution
// of U is computed; its cost grows with the square of that product.
const exactU = 900

// criticalU returns the rank k of the quotient that bounds the interval, counted
// from either end, and the probability left beyond it: the largest k for which
// P(U <= k-1) is at most tail. 0 means that no rank will do.
func criticalU(n, m int, tail float64) (k int, p float64) {
	if n*m > exactU {
		return normalU(n, m, tail)
	}
	d := stats.UDist{N1: n, N2: m}
	k = sort.Search(n*m/2, func(u int) bool { return d.CDF(float64(u)) > tail })
	if k > 0 {
		p = d.CDF(float64(k - 1))
	}
	return k, p
}

// normalU is criticalU by the normal approximation with continuity correction.
func normalU(n, m int, tail float64) (k int, p float64) {
	mean := float64(n*m) / 2
	sd := math.Sqrt(float64(n) * float64(m) * float64(n+m+1) / 12)
	z := stats.NormalDist{Mu: 0, Sigma: 1}.InvCDF(tail)
	k = int(math.Floor(mean + z*sd + 0.5))
	return max(k, 0), tail
}
