// SPDX-License-Identifier: BSD-3-Clause

//go:build purego || !(amd64 || arm64)

package numa

import (
	"time"

	"github.com/turnstile-go/turnstile/internal/rt"
)

func readAux(way) uint32 { return 1<<32 - 1 }

func rdpid() uint32 { return readAux(wayRDPID) }

func candidates() []way { return nil }

// cacheClock is a clock for the age of a cached answer.
func cacheClock() int64 { return rt.Nanotime() }

// ticks converts to ticks of cacheClock.
func ticks(d time.Duration) int64 { return int64(d) }
