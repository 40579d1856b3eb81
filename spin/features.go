// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// Info says what this process uses on this CPU.
type Info struct {
	Pause       string  // instruction in use: pause tpause mwaitx isb sb wfe wfet generic
	PauseTested bool    // our tests execute it on a CPU of this kind
	PauseNs     float64 // measured nanoseconds of one execution
	RoundNs     float64 // nanoseconds of one round of Pause, and of a waiter's step
	PauseNote   string  // why TURNSTILE_PAUSE was not followed, or ""
	LSE         bool    // arm64: atomics are single instructions
	Membarrier  string  // state of asymmetric fences: in use, not used, paused or off, and why
	Hooks       string  // "runtime" or "portable"
	HooksNote   string  // why the hooks are portable, or ""
}

// Features reports what this process uses. The first call calibrates, if no contention
// has done so already.
func Features() Info {
	pace()
	for current.Load() == nil {
		runtime.Gosched() // somebody else calibrates, for some tens of microseconds
	}
	p := current.Load()
	in := Info{
		Pause:       p.name,
		PauseTested: p.tested,
		PauseNs:     p.ns,
		RoundNs:     p.ns * float64(p.round),
		PauseNote:   p.note,
		LSE:         hasLSE,
		Membarrier:  asym.State(),
		Hooks:       rt.Hooks,
	}
	if rt.Hooks != "runtime" {
		in.HooksNote = rt.Note()
	}
	return in
}

// String is one line for a report.
func (in Info) String() string {
	tested := "tested"
	if !in.PauseTested {
		tested = "untested"
	}
	parts := []string{fmt.Sprintf("pause %s (%s) %.1f ns, %.1f ns a round", in.Pause, tested, in.PauseNs, in.RoundNs)}
	if in.PauseNote != "" {
		parts = append(parts, in.PauseNote)
	}
	if in.LSE {
		parts = append(parts, "LSE atomics")
	}
	parts = append(parts, "membarrier "+in.Membarrier)
	if in.HooksNote != "" {
		parts = append(parts, "hooks "+in.HooksNote)
	} else {
		parts = append(parts, "hooks "+in.Hooks)
	}
	return strings.Join(parts, "; ")
}

// DisableAsymmetric makes every release of every lock of this module a full fence from
// its return on, for good: locks are correct either way, and a pair costs two atomic
// operations instead of one. It may be called at any time, and stands for what
// TURNSTILE_ASYM=off does from the start. It fails where fences cannot be given up; no
// such system is known.
func DisableAsymmetric() error { return asym.Disable() }
