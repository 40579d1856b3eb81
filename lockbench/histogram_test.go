// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBucketsStandForTheirTimes(t *testing.T) {
	last := -1
	for ns := int64(0); ns < 1<<topBits; ns += 1 + ns/100 {
		i := bucketOf(ns)
		if i < last || i >= buckets {
			t.Fatalf("bucketOf(%d) = %d after %d of %d", ns, i, last, buckets)
		}
		last = i
		off := math.Abs(float64(bucketMiddle(i) - ns))
		if ns < exactBelow && off != 0 || off > float64(ns)/64 {
			t.Fatalf("%d ns stands as %d, %.2f%% off", ns, bucketMiddle(i), 100*off/float64(ns))
		}
	}
	if last != buckets-1 {
		t.Errorf("the longest times are in bucket %d, want the last, %d", last, buckets-1)
	}
}

func TestEveryBucketContainsItsMiddle(t *testing.T) {
	for i := range buckets {
		if got := bucketOf(bucketMiddle(i)); got != i {
			t.Fatalf("bucket %d has its middle %d in bucket %d", i, bucketMiddle(i), got)
		}
	}
}

func TestBucketsAtTheEnds(t *testing.T) {
	if got := bucketOf(-5); got != 0 {
		t.Errorf("bucketOf(-5) = %d, want 0", got)
	}
	for _, ns := range []int64{1 << topBits, math.MaxInt64} {
		if got := bucketOf(ns); got != buckets-1 {
			t.Errorf("bucketOf(%d) = %d, want the last, %d", ns, got, buckets-1)
		}
	}
}

func TestQuantilesAgainstSorting(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var h Histogram
	var all []int64
	for range 20_000 {
		ns := int64(math.Exp(rnd.Float64() * 20))
		all = append(all, ns)
		h.add(ns, 1)
	}
	slices.Sort(all)
	for _, p := range []float64{0, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1} {
		want := float64(all[max(0, int(math.Ceil(p*float64(len(all))))-1)])
		if got := float64(h.Quantile(p)); math.Abs(got-want) > want/64+0.5 {
			t.Errorf("Quantile(%v) = %v, want %v within 1/64", p, got, want)
		}
	}
	if h.Count() != uint64(len(all)) || h.Max() != time.Duration(all[len(all)-1]) {
		t.Errorf("Count, Max = %d, %d, want %d, %d", h.Count(), h.Max(), len(all), all[len(all)-1])
	}
}

func TestQuantilesCountWeights(t *testing.T) {
	var h Histogram
	h.add(10, 999)
	h.add(50, 1)
	for _, c := range []struct {
		p    float64
		want time.Duration
	}{{-1, 10}, {0, 10}, {0.5, 10}, {0.999, 10}, {0.9995, 50}, {1, 50}, {2, 50}, {math.NaN(), 10}} {
		if got := h.Quantile(c.p); got != c.want {
			t.Errorf("Quantile(%v) = %d, want %d", c.p, got, c.want)
		}
	}
	if h.Count() != 1000 {
		t.Errorf("Count = %d, want 1000", h.Count())
	}
}

func TestQuantileIsNeverAboveMax(t *testing.T) {
	var h Histogram
	h.add(1_000_001, 1) // in the lower half of its bucket
	if got := h.Quantile(0.5); got > h.Max() {
		t.Errorf("Quantile(0.5) = %d, above the maximum %d", got, h.Max())
	}
}

func TestEmptyHistogram(t *testing.T) {
	var h Histogram
	if h.Quantile(0.5) != 0 || h.Quantile(1) != 0 || h.Count() != 0 || h.Max() != 0 {
		t.Errorf("empty histogram: %d %d %d %d, want zeros", h.Quantile(0.5), h.Quantile(1), h.Count(), h.Max())
	}
}

func TestBanksAddUp(t *testing.T) {
	var a, b bank
	a[bucketOf(10)].Add(3)
	b[bucketOf(10)].Add(1)
	b[bucketOf(40)].Add(4)
	var h Histogram
	h.addBank(&a)
	h.addBank(&b)
	h.max = 40
	if h.Count() != 8 || h.Quantile(0.5) != 10 || h.Quantile(0.51) != 40 {
		t.Errorf("Count %d, quantiles %d %d, want 8, 10 40", h.Count(), h.Quantile(0.5), h.Quantile(0.51))
	}
}
