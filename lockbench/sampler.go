// SPDX-License-Identifier: BSD-3-Clause

package lockbench

// A sampler chooses the acquisitions of one worker whose wait is timed.
//
// The worker's acquisitions fall into blocks, and of every block one, drawn with
// equal chance, is timed and counts for the whole block. As the length of a
// block is fixed before anything in it is seen, the weighted sample is unbiased
// whatever the lengths are; random places keep it from falling in step with a
// lock that treats every k-th acquisition alike. The length follows from the
// worker's mean time an acquisition so far, so that reading the clock takes
// about 1 % of the CPU time the acquisitions take, and every acquisition is
// timed where they are long.
type sampler struct {
	skip  uint64 // acquisitions before the next one that is timed
	rest  uint64 // of those in the block of the last one
	block uint64 // length of the block of the next one
	began int64  // when the worker started
	share uint64 // ns of the worker's time that pay for a sample
	rnd   uint64
}

const (
	// probeShare is the time between samples over the time a sample takes.
	probeShare = 100
	// maxBlock keeps a worker that speeds up from going unsampled for long.
	maxBlock = 4096
)

// prepare sets up a sampler that starts with a sample. Of n workers only cpus run at a
// time: a worker that took t for an acquisition took t*cpus/n of CPU time.
func (s *sampler) prepare(seed uint64, n, cpus int) {
	perCPU := float64(n) / float64(min(n, cpus))
	s.share = uint64(2 * clockCost() * probeShare * perCPU)
	s.rnd = seed*0x9e3779b97f4a7c15 | 1
	s.block = 1
}

// next is called after a sample, with the worker's acquisitions so far and the
// time. It draws the next sample and returns how many acquisitions this one
// stands for.
func (s *sampler) next(acquired uint64, t int64) (weight uint64) {
	weight = s.block
	took := uint64(max(1, t-s.began))
	s.block = min(maxBlock, max(1, s.share*acquired/took))
	place := s.random() % s.block
	s.skip = s.rest + place
	s.rest = s.block - 1 - place
	return weight
}

// random is a xorshift generator (Marsaglia 2003).
func (s *sampler) random() uint64 {
	s.rnd ^= s.rnd << 13
	s.rnd ^= s.rnd >> 7
	s.rnd ^= s.rnd << 17
	return s.rnd
}
