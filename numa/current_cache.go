// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"runtime"
	"sync/atomic"

	"github.com/turnstile-go/turnstile/internal/pad"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// A pCache remembers for one P where it ran. Only goroutines pinned to the P
// write it; atomics, because the race detector does not know that.
type pCache struct {
	at    atomic.Int64  // when, in ticks of cacheClock
	place atomic.Uint64 // node<<32 | cpu
	_     pad.Line
}

var (
	// pCaches has one for each P id that is likely to exist. It is written
	// before chosen is, and never after.
	pCaches []pCache
	// cacheTicks is CurrentStaleness in ticks of cacheClock.
	cacheTicks int64
)

// prepareCache makes the caches. A P beyond them asks the kernel each time.
func prepareCache() {
	cacheTicks = ticks(CurrentStaleness)
	if rt.Pinned {
		pCaches = make([]pCache, max(runtime.GOMAXPROCS(0), runtime.NumCPU()))
		for i := range pCaches {
			pCaches[i].at.Store(cacheClock() - cacheTicks - 1) // stale
		}
	}
}

// currentCached is Current by system call.
func currentCached() (cpu, node int) {
	p := rt.Pin()
	if p >= len(pCaches) {
		rt.Unpin()
		cpu, node, _ = getcpu()
		return cpu, node
	}
	c := &pCaches[p]
	now := cacheClock()
	place := c.place.Load()
	if uint64(now-c.at.Load()) > uint64(cacheTicks) {
		cpu, node, _ = getcpu()
		place = uint64(node)<<32 | uint64(uint32(cpu))
		c.place.Store(place)
		c.at.Store(now)
	}
	rt.Unpin()
	return int(uint32(place)), int(place >> 32)
}
