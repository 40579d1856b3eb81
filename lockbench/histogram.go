// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

// The buckets of a Histogram: whole nanoseconds up to exactBelow, then
// perOctave of equal width to every power of two.
const (
	octaveBits = 5
	perOctave  = 1 << octaveBits
	exactBelow = 2 * perOctave
	topBits    = 41 // 2^41 ns is 36 minutes; longer waits share the last bucket
	buckets    = exactBelow + (topBits-octaveBits-1)*perOctave
)

// A Histogram holds waiting times. A bucket is at most 1/32 (3.1 %) as wide as
// the times in it and stands for its middle, so a quantile is at most 1.6 % off;
// below 64 ns it is exact, and Max is exact always. The zero value is empty.
type Histogram struct {
	counts []uint64 // nil or buckets long
	n      uint64   // sum of counts
	max    int64
}

// Count returns how many acquisitions the histogram stands for: every sampled
// wait counts for as many acquisitions as it was chosen from.
func (h *Histogram) Count() uint64 { return h.n }

// Max returns the longest wait seen.
func (h *Histogram) Max() time.Duration { return time.Duration(h.max) }

// Quantile returns the wait that a share p of the acquisitions did not exceed:
// Quantile(0.99) is the 99th percentile, Quantile(1) is Max. It is 0 when the
// histogram is empty; p outside 0 to 1 is taken as the nearer end.
func (h *Histogram) Quantile(p float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	if p >= 1 {
		return h.Max()
	}
	rank := uint64(1)
	if p > 0 {
		rank = max(rank, uint64(math.Ceil(p*float64(h.n))))
	}
	var seen uint64
	for i, c := range h.counts {
		if seen += c; seen >= rank {
			return time.Duration(min(bucketMiddle(i), h.max))
		}
	}
	return h.Max() // rank rounded past n
}

// add counts a wait weight times.
func (h *Histogram) add(ns int64, weight uint64) {
	if h.counts == nil {
		h.counts = make([]uint64, buckets)
	}
	h.counts[bucketOf(ns)] += weight
	h.n += weight
	h.max = max(h.max, ns)
}

// bank is what workers write while they run: shared by several, so atomic. One
// bank a worker would be 9 kB times the goroutines to clear and to add up.
type bank [buckets]atomic.Uint64

// addBank adds a bank to h.
func (h *Histogram) addBank(b *bank) {
	if h.counts == nil {
		h.counts = make([]uint64, buckets)
	}
	for i := range b {
		c := b[i].Load()
		h.counts[i] += c
		h.n += c
	}
}

// bucketOf returns the bucket of a wait; a clock that went back counts as 0.
func bucketOf(ns int64) int {
	if ns < exactBelow {
		return int(max(ns, 0))
	}
	top := bits.Len64(uint64(ns)) - 1 // at least octaveBits+1
	if top >= topBits {
		return buckets - 1
	}
	within := int(uint64(ns)>>(top-octaveBits)) & (perOctave - 1)
	return exactBelow + (top-octaveBits-1)*perOctave + within
}

// bucketMiddle returns the wait that bucket i stands for.
func bucketMiddle(i int) int64 {
	if i < exactBelow {
		return int64(i)
	}
	octave, within := (i-exactBelow)/perOctave, (i-exactBelow)%perOctave
	width := int64(2) << octave
	return (perOctave+int64(within))*width + width/2
}
