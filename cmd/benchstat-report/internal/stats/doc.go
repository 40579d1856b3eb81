// SPDX-License-Identifier: BSD-3-Clause

// Package stats compares two locks measured in the same files: a ratio with an
// interval, and the verdict that follows from it.
//
// # What
//
// A ratio is value(lock) / value(base), for one unit and one load.
//
// [Paired] is for runs that measured both locks in turns. Sample k of the one is
// divided by sample k of the other, which were taken within a second or so: what
// slows the machine for a while slows both and cancels. The ratio is the median of
// these quotients; its interval runs between two of their order statistics, chosen
// by the binomial distribution, as benchmath does for the median of a sample. With
// 10 pairs at 95 % these are the 2nd smallest and the 2nd largest, and the true
// confidence is 97.9 %.
//
// [Unpaired] is for runs that measured first all of the one and then all of the
// other. The ratio is the median of all n*m quotients, and the interval runs
// between the quotients that the Mann-Whitney U distribution picks: it excludes 1
// when the U test that benchstat uses rejects equality at the same level (ties and
// samples of more than 30 a side, where the normal approximation serves, may differ
// in the last digit of p).
//
// Neither assumes a distribution. Both need a few samples to say anything: at 95 %
// six pairs, or four samples a side. With fewer the interval has no end and the
// verdict is [Unknown].
//
// # Guarantees
//
//   - S1. A verdict other than Unknown is given only when the interval excludes 1
//     and the unit says which direction is better.
//   - S2. Zeros are values: 0/0 is 1, x/0 is infinite, 0/x is 0. All are ordered,
//     which is all these methods need.
//   - S3. A negative value has no ratio; the result says so instead of a number.
//   - S4. A geometric mean says how many of its rows have an interval that spans more
//     than a factor of 100. One such row moves the mean anywhere, so the mean
//     is not to be shown as a size then.
//
// # References
//
// E. L. Lehmann, "Nonparametrics: Statistical Methods Based on Ranks", 1975, for
// both intervals. J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on
// Rank Tests", 1963, for the median of all quotients (of differences, there).
// H. B. Mann and D. R. Whitney, "On a Test of Whether one of Two Random Variables
// is Stochastically Larger than the Other", 1947.
package stats
