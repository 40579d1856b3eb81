// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"os"
	"testing"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/explore"
)

// TestExplore visits every interleaving of three goroutines, or of two and the switch
// of modes. TURNSTILE_LONG=1 adds explorations of some minutes.
func TestExplore(t *testing.T) {
	const on, off = uint8(asym.Asymmetric), uint8(asym.Symmetric)
	cases := []exConfig{
		{name: "asymmetric", rounds: []uint8{1, 1, 1}, mode: on, cancels: true},
		{name: "asymmetric, two rounds", rounds: []uint8{2, 1, 1}, mode: on},
		{name: "symmetric", rounds: []uint8{1, 1, 1}, mode: off, cancels: true},
		{name: "turning on", rounds: []uint8{1, 1}, mode: off, cancels: true, admin: "n"},
		{name: "turning off", rounds: []uint8{1, 1}, mode: on, cancels: true, admin: "f"},
		{name: "on and off", rounds: []uint8{2, 1}, mode: off, admin: "nf"},
	}
	if os.Getenv("TURNSTILE_LONG") == "1" {
		cases = append(cases,
			exConfig{name: "asymmetric, two rounds, cancelled", rounds: []uint8{2, 2, 1}, mode: on, cancels: true},
			exConfig{name: "turning on, three", rounds: []uint8{1, 1, 1}, mode: off, cancels: true, admin: "n"},
			exConfig{name: "turning off, three", rounds: []uint8{1, 1, 1}, mode: on, cancels: true, admin: "f"},
			exConfig{name: "off and on and off", rounds: []uint8{2, 2}, mode: on, cancels: true, admin: "fnf"},
		)
	}
	for _, c := range cases {
		explore.Holds(t, exModel(c))
	}
}

// TestExploreMutants leaves out one thing at a time and wants the loss.
func TestExploreMutants(t *testing.T) {
	const on, off = uint8(asym.Asymmetric), uint8(asym.Symmetric)
	two, three := []uint8{1, 1}, []uint8{1, 1, 1}
	for _, c := range []exConfig{
		{name: "no barrier", rounds: two, mode: on, mutant: exMutant{noBarrier: true}},
		{name: "no re-check", rounds: two, mode: off, mutant: exMutant{noRecheck: true}},
		{name: "ctl loaded before mode", rounds: two, mode: on, admin: "fn", mutant: exMutant{ctlBeforeMode: true}},
		{name: "mode read before FENCED is raised", rounds: two, mode: off, admin: "n", mutant: exMutant{modeBeforeArrive: true}},
		{name: "1 to 0 without a barrier", rounds: two, mode: on, admin: "f", mutant: exMutant{offAtOnce: true}},
		{name: "cancelled first waiter does not look", rounds: three, mode: on, cancels: true, mutant: exMutant{cancelledIsBlind: true}},
		{name: "unfenced late release", rounds: two, mode: on, admin: "f", mutant: exMutant{unfencedSlow: true}},
		{name: "FENCED cleared in two steps", rounds: three, mode: off, mutant: exMutant{clearInTwo: true}},
		{name: "woken waiter keeps the wake", rounds: three, mode: off, cancels: true, mutant: exMutant{keepsWake: true}},
		{name: "sleeps again still counted as awake", rounds: three, mode: off, mutant: exMutant{keepsWoken: true}},
		{name: "gives WOKEN up after the last look", rounds: three, mode: off, mutant: exMutant{settlesLate: true}},
		{name: "queue without FENCED", rounds: three, mode: on, mutant: exMutant{laxQueue: true}},
		{name: "PARKED left behind", rounds: two, mode: off, mutant: exMutant{keepsParked: true}},
		{name: "wake that leaves the word", rounds: two, mode: off, mutant: exMutant{wakesHeld: true}},
	} {
		explore.Fails(t, exModel(c), explore.Stuck, explore.BadEnd, explore.Broken)
	}
}
