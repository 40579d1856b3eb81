// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"math"
	"testing"
)

// TestBlocksAreSampledOnce walks a sampler through acquisitions of changing
// length: one sample a block, weights that sum to the acquisitions.
func TestBlocksAreSampledOnce(t *testing.T) {
	var s sampler
	s.prepare(7, 4, 2)
	var acquired, weights, samples uint64
	var clock int64
	boundary := uint64(0) // where the current block begins
	var places float64    // of the samples in their blocks, from 0 to 1
	for acquired < 200_000 {
		acquired += s.skip
		acquired++ // the sample itself
		clock += int64(s.skip+1) * int64(10+acquired%7)
		if place := acquired - 1; place < boundary || place >= boundary+s.block {
			t.Fatalf("sample %d is acquisition %d, outside its block of %d from %d", samples, place, s.block, boundary)
		}
		places += (float64(acquired-1-boundary) + 0.5) / float64(s.block)
		boundary += s.block
		weights += s.next(acquired, clock)
		samples++
	}
	if weights != boundary {
		t.Errorf("weights sum to %d, the blocks to %d", weights, boundary)
	}
	// With a thousand samples the mean place strays less than 0.01; 0.05 is far off.
	if mean := places / float64(samples); math.Abs(mean-0.5) > 0.05 {
		t.Errorf("samples are at %.3f of their blocks on the mean, want 0.5", mean)
	}
	if samples > 3000 || samples < 20 {
		t.Errorf("%d samples of %d acquisitions", samples, acquired)
	}
}

// TestSampledMeanIsUnbiased: the first acquisition after every 50 is slow, a
// pattern that a sample of every 50th would see always or never. The mean
// of 4000 blocks of about 100 with a deviation below 10 has an error of 0.1 in a
// mean of 3; 5 % allow for more.
func TestSampledMeanIsUnbiased(t *testing.T) {
	cost := func(i uint64) int64 {
		if i%50 == 0 {
			return 101
		}
		return 1
	}
	var s sampler
	s.prepare(3, 1, 1)
	s.share = 300 // blocks of about 100
	var i, n uint64
	var clock, sum int64
	for i < 400_000 {
		for ; s.skip > 0; s.skip-- {
			clock += cost(i)
			i++
		}
		wait := cost(i)
		clock += wait
		i++
		w := s.next(i, clock)
		sum += int64(w) * wait
		n += w
	}
	if mean := float64(sum) / float64(n); math.Abs(mean-3) > 0.15*3 {
		t.Errorf("sampled mean %.3f, want 3", mean)
	}
}

func TestLongAcquisitionsAreAllSampled(t *testing.T) {
	var s sampler
	s.prepare(1, 1, 1)
	var clock int64
	for i := uint64(1); i < 100; i++ {
		clock += int64(s.share) + 1
		if s.next(i, clock); s.skip != 0 {
			t.Fatalf("sample %d is followed by %d acquisitions that are not timed", i, s.skip)
		}
	}
}

func TestSamplesCostTheirShare(t *testing.T) {
	// Of 8 workers on 2 CPUs each has a quarter of one: an acquisition that takes
	// 40 ns of a worker's time takes 10 ns of a CPU's.
	var s sampler
	s.prepare(1, 8, 2)
	s.next(1000, 40_000)
	want := min(maxBlock, uint64(2*clockCost()*probeShare/10))
	if s.block < want-1 || s.block > want+1 {
		t.Errorf("block of %d, want %d", s.block, want)
	}
	if s.next(1000, 1000); s.block > maxBlock {
		t.Errorf("block of %d, want at most %d", s.block, maxBlock)
	}
}
