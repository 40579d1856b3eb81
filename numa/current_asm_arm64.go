// SPDX-License-Identifier: BSD-3-Clause

//go:build arm64 && !purego

package numa

import "time"

// arm64 has no register that tells the CPU.

func readAux(way) uint32 { return 1<<32 - 1 }

func rdpid() uint32 { return readAux(wayRDPID) }

func candidates() []way { return nil }

// counter reads the virtual counter.
func counter() int64

// counterHz reads the frequency of counter.
func counterHz() int64

// cacheClock is a clock for the age of a cached answer. The counter is the same
// on all CPUs and costs a fraction of asking the system for the time.
func cacheClock() int64 { return counter() }

// ticks converts to ticks of cacheClock.
func ticks(d time.Duration) int64 { return int64(float64(counterHz()) * d.Seconds()) }
