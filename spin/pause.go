// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// maxDelay bounds one call of Pause or Delay.
const maxDelay = 10 * time.Microsecond

// assumedNs is the cost of an instruction until it is measured.
const assumedNs = 30

// An instruction is one way to relax the CPU for a moment.
type instruction struct {
	name   string
	tested bool           // our tests execute it on a CPU of this kind
	safe   bool           // this CPU and this kernel let user code execute it, and end it soon
	relax  func(n uint32) // executes it n times
	await  awaitFunc      // nil: polls and relax
}

// generic is there on every CPU, and a round of it passes through the runtime, which
// pauses in the way of some architectures that have no assembly here.
func generic() instruction {
	return instruction{name: "generic", tested: true, safe: true, relax: relaxGeneric}
}

// relaxGeneric calls for one round at a time: where the runtime's own loop is empty a
// call for n rounds would take as long as one for none.
func relaxGeneric(n uint32) {
	for ; n > 0; n-- {
		rt.Procyield(1)
	}
}

// Pause waits for a number of rounds with the CPU told that the program is waiting. A
// round is about 32 nanoseconds, or one execution of a slower instruction: Features says
// how long. One call waits for at most 10 microseconds, and not at all when rounds <= 0.
func Pause(rounds int) {
	if rounds > 0 {
		p := pace()
		p.relaxFor(min(uint32(min(rounds, int(maxDelay)))*p.round, p.executions(maxDelay)))
	}
}

// Delay waits for about d without giving up the CPU. One call waits for at most
// 10 microseconds, and for at least one execution of the pause instruction, but not at
// all when d <= 0. The time is counted in executions, so what interrupts the goroutine
// comes on top.
func Delay(d time.Duration) {
	if d > 0 {
		p := pace()
		p.relaxFor(p.executions(d))
	}
}

// executions is the number of executions nearest to d, at least one.
func (p *pacer) executions(d time.Duration) uint32 {
	return uint32(max(float64(min(d, maxDelay))/p.ns+0.5, 1))
}

var (
	current atomic.Pointer[pacer] // set once
	claimed atomic.Bool           // somebody calibrates
)

// pace returns the pacer of this process. The first caller calibrates it, which takes
// some tens of microseconds; a caller in the meantime does not wait for that and uses
// an assumption.
func pace() *pacer {
	if p := current.Load(); p != nil {
		return p
	}
	return firstPace()
}

func firstPace() *pacer {
	p := choose(instructions(), os.Getenv("TURNSTILE_PAUSE"))
	if claimed.CompareAndSwap(false, true) {
		p.setCost(measure(p.relax, rt.Nanotime))
		current.Store(p)
	}
	return p
}

// choose picks the instruction that is asked for, or the first one.
func choose(all []instruction, wish string) *pacer {
	if wish == "" {
		return newPacer(all[0], "")
	}
	var names []string
	for _, in := range all {
		if in.name == wish && in.safe {
			return newPacer(in, "")
		}
		if in.name == wish {
			return newPacer(all[0], fmt.Sprintf("TURNSTILE_PAUSE=%s: this CPU or kernel does not offer it; using %s", wish, all[0].name))
		}
		names = append(names, in.name)
	}
	const most = 32 // bytes of a wish worth repeating
	return newPacer(all[0], fmt.Sprintf("TURNSTILE_PAUSE=%.*q: not one of %s; using %s", most, wish, strings.Join(names, " "), all[0].name))
}

// measure returns the nanoseconds of one execution: the least of five samples, for an
// interruption can only add. A sample is made of short calls, so that it can be
// preempted, and is long enough for the clock: 4 microseconds, of which reading the
// clock is a hundredth.
func measure(relax func(uint32), now func() int64) float64 {
	const perCall, samples, enough, most = 16, 5, 4000, 1 << 12
	sample := func(calls int) int64 {
		start := now()
		for range calls {
			relax(perCall)
		}
		return now() - start
	}
	relax(perCall)
	calls := 4
	for calls < most && sample(calls) < enough {
		calls *= 2
	}
	best := sample(calls)
	for range samples - 1 {
		best = min(best, sample(calls))
	}
	return float64(best) / float64(calls*perCall)
}
