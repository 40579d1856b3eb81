// SPDX-License-Identifier: BSD-3-Clause

package asym

import (
	"slices"
	"sync/atomic"
)

const (
	calRounds   = 7         // barriers of each kind
	calPatience = 1_000_000 // ns to wait for the second thread to run, and for it to stop by itself
)

// calibrate measures one barrier with and without a second thread of this process
// running, in ns. Where no second thread gets to run, both are the same.
func calibrate(s *System, barrier func()) (idle, busy int64) {
	idle = timeBarriers(s, barrier, func() bool { return true })
	if s.Procs() < 2 {
		return idle, idle
	}
	var turns atomic.Uint32
	var stop atomic.Bool
	go func() {
		for end := s.Now() + 4*calPatience; !stop.Load() && s.Now() < end; {
			turns.Add(1)
		}
	}()
	defer stop.Store(true)
	ran := func() bool {
		was := turns.Load()
		for end := s.Now() + calPatience/calRounds; turns.Load() == was; {
			if s.Now() > end {
				return false
			}
		}
		return true
	}
	if busy = timeBarriers(s, barrier, ran); busy < idle {
		return idle, idle
	}
	return idle, busy
}

// timeBarriers is the median of the rounds for which ready holds, 0 if there are none.
// The median drops rounds in which the host took the CPU away.
func timeBarriers(s *System, barrier func(), ready func() bool) int64 {
	var took []int64
	for range calRounds {
		if !ready() {
			continue
		}
		t := s.Now()
		barrier()
		took = append(took, s.Now()-t)
	}
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[len(took)/2]
}
