// SPDX-License-Identifier: BSD-3-Clause

package facts

import (
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

func group(pairs ...string) *report.Group {
	g := new(report.Group)
	for i := 0; i+1 < len(pairs); i += 2 {
		g.Facts = append(g.Facts, report.Fact{Key: pairs[i], Values: strings.Split(pairs[i+1], ";")})
	}
	return g
}

// The calibration stands first and warns where the CPUs share a core, also when
// only one of the runs in the group says so.
func TestSpinners(t *testing.T) {
	for _, c := range []struct {
		ratio, text string
		warn        bool
	}{
		{"1.98", "side by side", false}, {"1.02", "share a core", true}, {"2.0;1.1", "share a core", true},
		{"", "not calibrated", false}, {"0", "not measured", false},
	} {
		g := group("cpu", "x", "origin", "measured")
		if c.ratio != "" {
			g = group("cpu", "x", "origin", "measured", "spin2-ratio", c.ratio)
		}
		s := Of(g)
		if s.Lines[0].Label != "two spinners" || !strings.Contains(s.Lines[0].Text, c.text) {
			t.Errorf("ratio %q: first line %+v, want %q", c.ratio, s.Lines[0], c.text)
		}
		if (len(s.Warnings) > 0) != c.warn {
			t.Errorf("ratio %q: warnings %v", c.ratio, s.Warnings)
		}
	}
}

// Numbers that were not measured say so, a key without a place of its own is kept,
// and nothing is stated that the file does not say.
func TestSheet(t *testing.T) {
	s := Of(group("cpu", "x", "origin", "emulated", "colour", "blue", "hooks", "portable"))
	text := ""
	for _, l := range s.Lines {
		text += l.Label + ": " + l.Text + "\n"
	}
	for _, want := range []string{"origin: emulated", "colour: blue", "runtime hooks: portable: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "not measured") || len(s.Lines) != 4 {
		t.Errorf("warnings %v, %d lines", s.Warnings, len(s.Lines))
	}
	if s := Of(group()); s.Title == "" || len(s.Lines) != 2 {
		t.Errorf("of nothing: %+v", s)
	}
}
