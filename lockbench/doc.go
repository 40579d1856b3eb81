// SPDX-License-Identifier: BSD-3-Clause

// Package lockbench measures locks: what they cost under contention, how long
// they make goroutines wait and how evenly they serve them.
//
// # What
//
// A [Load] is a number of goroutines that take a lock, work, release it, work,
// and start over. [Run] puts a load on any [sync.Locker] for a time and returns a
// [Result]; [Bench] does it inside a benchmark function; [RunSuite] measures many
// loads and locks by turns. Results are lines of the Go benchmark format, so
// benchstat reads them. The suites:
//
//	quick   18 loads, under a minute for two locks with 10 samples each
//	grid    96 loads: goroutines 1 2 4 16 64 1024, hold 0 50ns 500ns 5us,
//	        think 0 100ns 1us 10us
//
// The locks known are std (sync.Mutex of the standard library), turnstile (the
// Mutex of this module's sync), ticket (spin.Ticket), chan (a channel with one
// slot), xsem (golang.org/x/sync/semaphore) and those a program registers. A
// suite runs std, turnstile and the registered ones unless told otherwise.
//
//	go test -run '^$' -bench Grid ./lockbench               # the grid, 2 minutes
//	go test -run '^$' -bench Grid ./lockbench -suite quick -count 10
//	go test -run '^$' -bench Grid/lock=std ./lockbench -locks all
//
// In this package's own benchmarks -benchtime is 100ms unless given.
//
// # When to choose it
//
// To compare locks, where testing.B.RunParallel is not enough: that counts
// for all goroutines together and times no waits. To find out what a lock costs
// a program, measure the program.
//
// # Guarantees
//
//   - All goroutines are ready before the first one starts, and Run returns after
//     the last one has left the lock, unless the lock is stuck.
//   - Ops is the number of acquisitions in Elapsed and the sum of PerGoroutine.
//     Those of the warm-up and those after the end are not in it.
//   - A lock that lets two critical sections overlap makes Run fail: every section
//     reads a shared counter at its start and writes it back, one higher, at its
//     end, and at the end of the run it must be the sum of what the goroutines
//     counted. This costs a load and a store, and one line of memory that moves
//     with the lock, as the data of a real critical section does.
//   - A context that ends stops a run within one section, and a suite keeps the
//     results of all cells before.
//   - Run may be called concurrently, though the results disturb each other.
//
// # How it measures
//
// Work, in the critical section (hold) and outside it (think), is a chain of
// multiplications, each of which needs the one before. It touches no memory and
// looks at no clock. How many take a nanosecond is measured once in the process,
// and Calibration.Hold50Ns says what a hold of 50 ns came to.
//
// Time is measured by the workers: the one that first finds the time over ends
// the run. A timer would be late with every CPU busy.
//
// Waits, the times from before Lock to after it, are sampled, since reading the
// clock (Calibration.ClockNs, 27 to 43 ns on the machine this was written on) can
// take longer than the lock. Each goroutine divides its acquisitions into blocks
// and times one of every block, at a random place; that one counts for the whole
// block. The length of a block is chosen beforehand so that clock readings take
// about 1 % of the CPU time: where an acquisition takes 10 ns of CPU time it is
// some 500, where it takes 6 us or more every acquisition is timed. Besides, every wait
// of at least 1 ms is counted, timed or not: it shows in a coarse time that the
// samples keep up to date, to within some 10 us. A wait that is still open when
// the measured time ends counts with its length until then. One that ends within
// it counts whole, also when it began in the warm-up. A sampled wait contains one
// reading of the clock, which is not subtracted.
//
// Wait times go into a histogram whose buckets are at most 3.1 % wide, so that
// quantiles are at most 1.6 % off; max-ns is exact. max-ns is the longest wait of
// those timed or over 1 ms.
//
// The harness itself adds Calibration.HarnessNs, about 4 ns, to ns/op and to the
// contention cost, alike for all locks: two calls through an interface, the
// counters, the look at the stage of the run.
//
// Metrics: ns/op is the measured time divided by the acquisitions of all
// goroutines, acq/s its inverse, contention-ns/op what remains above a perfect
// lock (Result.ContentionNs), p50-ns to max-ns the waits, jain and minmax the
// evenness of the goroutines' counts. In written results a value is never 0 where
// benchstat could not take it: contention of 0.1 ns means "none to be seen".
//
// With many more goroutines than CPUs and a load that seldom blocks, the counts
// show the Go scheduler's time slices of 10 ms more than the lock.
//
// # Ordering
//
// The workers' own counters are read after all have returned. The counter of the
// critical sections is ordered by the lock under test alone; under the race
// detector a lock that does not order is reported there.
//
// # References
//
// R. Jain, D. Chiu and W. Hawe, "A quantitative measure of fairness and
// discrimination for resource allocation in shared computer systems" (1984).
// D. G. Horvitz and D. J. Thompson, "A generalization of sampling without
// replacement from a finite universe" (1952), for samples that count for
// different numbers of acquisitions. G. Marsaglia, "Xorshift RNGs" (2003). The
// loads follow Arm's lockhammer and concurrencykit's throughput tests in having
// both a critical section and a pause.
package lockbench
