// SPDX-License-Identifier: BSD-3-Clause

package stats

import "math"

// A Verdict is what may be said about a row.
type Verdict string

const (
	Better  Verdict = "better"
	Worse   Verdict = "worse"
	Unknown Verdict = "unknown"
)

// Judge returns the verdict for a ratio in a unit where better is +1 (higher is
// better), -1 (lower) or 0 (the unit does not say): S1.
func (r Ratio) Judge(better int) Verdict {
	if !r.Valid() || r.Problem != "" || better == 0 {
		return Unknown
	}
	switch {
	case r.Lo > 1 && better > 0, r.Hi < 1 && better < 0:
		return Better
	case r.Lo > 1, r.Hi < 1:
		return Worse
	}
	return Unknown
}

// A Mean is the geometric mean of ratios.
type Mean struct {
	Ratio float64 // NaN if there is none
	Rows  int     // rows that went in
	Of    int     // rows there are
	Wide  int     // of those that went in, rows whose interval is Wide: S4
}

// GeoMean returns the geometric mean over the rows that have a positive and finite
// ratio: rows measured for one lock only, and rows with a zero, have none.
func GeoMean(ratios []Ratio) Mean {
	m := Mean{Ratio: math.NaN(), Of: len(ratios)}
	sum := 0.0
	for _, r := range ratios {
		if r.Valid() && r.Center > 0 && !math.IsInf(r.Center, 0) {
			sum += math.Log(r.Center)
			m.Rows++
			if r.Wide() {
				m.Wide++
			}
		}
	}
	if m.Rows > 0 {
		m.Ratio = math.Exp(sum / float64(m.Rows))
	}
	return m
}

// InTurns reports whether the samples of two locks were taken in turns, so that
// sample k of the one may be set against sample k of the other. order lists, in
// the order measured, true for a sample of the base and false for one of the lock.
func InTurns(order []bool) bool {
	lead := 0
	for _, isBase := range order {
		if isBase {
			lead++
		} else {
			lead--
		}
		if lead < -1 || lead > 1 {
			return false
		}
	}
	return true
}
