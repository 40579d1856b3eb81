// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"sync/atomic"
	"time"

	"github.com/turnstile-go/turnstile/internal/rt"
)

const (
	// roundNs is what one round of Pause, and one step of a waiter's distance, should
	// take: the PAUSE of a recent x86 core. A slower instruction makes longer rounds.
	roundNs = 32

	// batchNs bounds a call into assembly, which cannot be preempted.
	batchNs = 1000

	// maxIdle is how many looks of a batch each may see nobody served before the
	// waiter yields its P between looks: the holder is probably not running.
	maxIdle = 8

	// napAfter is how many looks in a row may see nobody served before the waiter naps
	// between looks: some tens of microseconds, when the operating system has probably
	// taken the CPU from the one that all wait for. Note: with both CPUs shared with
	// busy programs, 16 goroutines took 2.7 to 8.0 us per acquisition without naps and
	// 1.5 to 2.1 us with them; naps after 64 looks cost 2 goroutines twice the time.
	napAfter = 256
	napTime  = 50 * time.Microsecond

	// maxDistance bounds the proportion, and with it the wait between two looks to
	// 8 microseconds, for a waiter that is not told when those ahead hurry.
	maxDistance = 256
)

// An awaitFunc has the contract of await.
type awaitFunc func(owner *uint32, seen, gap, polls uint32) uint32

// A pacer knows how to wait on this CPU. It does not change once it is published. Its
// functions are fields so that a test can record the delays.
type pacer struct {
	instruction
	note    string      // why TURNSTILE_PAUSE was not followed
	ns      float64     // what one execution of the instruction takes
	round   uint32      // executions in a round
	batch   uint32      // executions in one call
	canSpin func() bool // whether spinning may pay: another P is at work and ours has nothing else to do
	yield   func()      // lets the P do something else
	nap     func()      // lets the CPU do something else
}

func newPacer(in instruction, note string) *pacer {
	p := &pacer{instruction: in, note: note, yield: rt.Yield, nap: func() { time.Sleep(napTime) }}
	p.canSpin = func() bool { return rt.CanSpin(0) }
	if p.await == nil {
		p.await = p.awaitGo
	}
	p.setCost(assumedNs)
	return p
}

// setCost says that one execution takes ns.
func (p *pacer) setCost(ns float64) {
	ns = min(max(ns, 0.1), 1e5)
	p.ns = ns
	p.round = uint32(max(roundNs/ns+0.5, 1))
	p.batch = max(uint32(batchNs/ns), p.round)
}

// wait returns when *owner is my.
func (p *pacer) wait(owner *uint32, my uint32) {
	idle := 0                                           // looks since somebody was served
	for seen := atomic.LoadUint32(owner); seen != my; { // edge A
		now := p.next(owner, seen, my, idle)
		idle++
		if now != seen {
			idle = 0
		}
		seen = now
	}
}

// next lets some time pass and reads the owner word again.
func (p *pacer) next(owner *uint32, seen, my uint32, idle int) uint32 {
	switch {
	case idle < maxIdle && p.canSpin():
		return p.look(owner, seen, distance(my, seen))
	case idle < napAfter:
		// Without this a waiter may keep the holder, or the waiter whose turn it is,
		// from ever running: with one P at once, else when all Ps hold waiters.
		p.yield()
	default:
		p.nap()
	}
	return atomic.LoadUint32(owner) // edge A
}

// look waits in proportion to the distance d and reads the owner word again. Between
// two batches the goroutine can be preempted.
func (p *pacer) look(owner *uint32, seen, d uint32) uint32 {
	gap := min(d, maxDistance) * p.round
	polls := p.batch / gap
	for ; gap > p.batch; gap -= p.batch {
		p.relax(p.batch)
	}
	return p.await(owner, seen, gap, max(polls, 1))
}

// awaitGo is the Go twin of await, over any instruction.
func (p *pacer) awaitGo(owner *uint32, seen, gap, polls uint32) uint32 {
	for {
		p.relax(gap)
		polls--                                                         // at most batch to begin with, and never 0: see look
		if now := atomic.LoadUint32(owner); now != seen || polls == 0 { // edge A
			return now
		}
	}
}

// relaxFor executes the instruction n times, in batches.
func (p *pacer) relaxFor(n uint32) {
	for ; n > p.batch; n -= p.batch {
		p.relax(p.batch)
	}
	p.relax(n)
}
