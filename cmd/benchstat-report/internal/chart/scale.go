// SPDX-License-Identifier: BSD-3-Clause

package chart

import (
	"math"
	"slices"
)

// A scale maps values to coordinates.
type scale struct {
	lo, hi   float64 // values at the ends
	from, to float64 // coordinates at the ends
	log      bool
}

func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		v, lo, hi = math.Log(v), math.Log(lo), math.Log(hi)
	}
	if hi == lo {
		return (s.from + s.to) / 2
	}
	return s.from + (v-lo)/(hi-lo)*(s.to-s.from)
}

// clamped is at, kept within the ends: a zero on a log scale lands on the edge.
func (s scale) clamped(v float64) float64 {
	if s.log && v < s.lo {
		return s.from
	}
	return s.at(min(max(v, s.lo), s.hi))
}

// linearTicks returns round values from 0 up to the first at or above top: about n.
func linearTicks(top float64, n int) []float64 {
	if !(top > 0) || math.IsInf(top, 0) {
		return []float64{0, 1}
	}
	step := math.Pow(10, math.Floor(math.Log10(top/float64(n))))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if step*m*float64(n) >= top {
			step *= m
			break
		}
	}
	var ticks []float64
	for i := 0; ; i++ {
		v := step * float64(i)
		ticks = append(ticks, v)
		if v >= top*(1-1e-9) {
			return ticks
		}
	}
}

// decades returns the powers of ten that enclose lo and hi.
func decades(lo, hi float64) []float64 {
	var ticks []float64
	for e := math.Floor(math.Log10(lo) + 1e-9); ; e++ {
		v := math.Pow(10, e)
		ticks = append(ticks, v)
		if v >= hi*(1-1e-9) && len(ticks) > 1 {
			return ticks
		}
	}
}

// spaced returns the values whose labels have room: neighbours at least gap apart,
// the last one always among them.
func spaced(values []float64, s scale, gap float64) []float64 {
	var kept []float64
	for _, v := range values {
		if len(kept) == 0 || s.at(v)-s.at(kept[len(kept)-1]) >= gap {
			kept = append(kept, v)
		}
	}
	last := values[len(values)-1]
	for len(kept) > 0 && kept[len(kept)-1] != last {
		if s.at(last)-s.at(kept[len(kept)-1]) >= gap {
			break
		}
		kept = kept[:len(kept)-1]
	}
	if len(kept) == 0 || kept[len(kept)-1] != last {
		kept = append(kept, last)
	}
	return kept
}

// distinct returns the values sorted, each once.
func distinct(values []float64) []float64 {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}
