// SPDX-License-Identifier: BSD-3-Clause

package asym

import "sync/atomic"

const (
	budgetWindow  = 100_000_000 // ns
	budgetShare   = 100         // one part in so many of the CPU time of a window
	pauseShortest = 1_000_000_000
	pauseLongest  = 64_000_000_000
)

// A budget says how much of the CPU time barriers may take, and for how long to do
// without when they took more.
//
// While paused the process loses what a plain release saves; when it comes back to the
// load that drove it off it loses one window's budget. A pause is ten windows at least
// and doubles as long as the return does not last as long as the pause did, so that
// coming back in vain costs at most a tenth of the budget, and soon far less.
type budget struct {
	window atomic.Int64 // start of the current window
	limit  atomic.Int64 // ns for the current window
	procs  atomic.Int64 // sampled at its start
	spent  atomic.Int64 // ns in it

	resumeAt atomic.Int64 // end of the pause
	pause    int64        // length of the latest one, guarded by controller.transit
	onSince  int64        // guarded by controller.transit
}

// charge takes the price of a barrier that ended at now after elapsed ns, and reports
// the price and whether the window's budget is used up. A barrier that interrupted
// other CPUs is charged for each of them, not more than its calibrated cost apiece:
// what elapsed beyond it is this thread's own bad luck.
func (b *budget) charge(s *System, now, elapsed, idle, busy int64) (price int64, over bool) {
	if w := b.window.Load(); now-w >= budgetWindow && b.window.CompareAndSwap(w, now) {
		n := int64(max(s.Procs(), 1))
		b.procs.Store(n)
		b.limit.Store(n * budgetWindow / budgetShare)
		b.spent.Store(0) // a charge that arrives late counts in the new window
	}
	price = elapsed
	if elapsed > (idle+busy)/2 {
		price += (b.procs.Load() - 1) * min(elapsed, busy)
	}
	return price, b.spent.Add(price) > b.limit.Load()
}

// open starts afresh: the first charge begins a window. The caller holds transit.
func (b *budget) open(now int64) {
	b.onSince = now
	b.window.Store(now - budgetWindow)
}

// rest starts a pause. The caller holds transit.
func (b *budget) rest(now int64) {
	switch {
	case b.pause == 0 || now-b.onSince >= b.pause:
		b.pause = pauseShortest
	default:
		b.pause = min(2*b.pause, pauseLongest)
	}
	b.resumeAt.Store(now + b.pause)
}
