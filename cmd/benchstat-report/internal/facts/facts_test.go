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
// only one of the runs in the group says so; but not where other programs were
// at work, which it says instead.
func TestSpinners(t *testing.T) {
	for _, c := range []struct {
		ratio, lost, text, warn string
	}{
		{"1.98", "0", "side by side", ""}, {"1.98", "", "side by side", ""},
		{"1.02", "10", "share a core", "share a core"}, {"2.0;1.1", "0", "share a core", "share a core"},
		{"1.02", "", "share a core, or the machine was busy", "or the machine was busy"},
		{"1.02", "90", "busy: other programs took 90 % of a CPU", "busy: other programs took 90 % of a CPU"},
		{"1.98", "0;15", "busy: other programs took 15 %", "busy"},
		{"", "", "not calibrated", ""}, {"0", "0", "not measured", ""},
	} {
		pairs := []string{"cpu", "x", "origin", "measured"}
		for key, v := range map[string]string{"spin2-ratio": c.ratio, "lost": c.lost} {
			if v != "" {
				pairs = append(pairs, key, v)
			}
		}
		s := Of(group(pairs...))
		first := s.Calibration[0]
		if first.Label != "two spinners" || !strings.Contains(first.Text, c.text) {
			t.Errorf("%+v: first line %+v", c, first)
		}
		warns := strings.Join(s.Warnings, "; ")
		if !strings.Contains(warns, c.warn) || (c.warn == "") != (warns == "") {
			t.Errorf("%+v: warnings %q", c, warns)
		}
		for _, l := range s.Lines {
			if l.Label == "lost" {
				t.Errorf("%+v: told a second time: %+v", c, l)
			}
		}
		if busy := strings.Contains(c.text, "busy: "); busy && strings.Contains(first.Text+warns, "share a core") {
			t.Errorf("%+v: a busy machine is said to share a core: %+v %q", c, first, warns)
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
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "not measured") || len(s.Lines) != 3 {
		t.Errorf("warnings %v, %d lines", s.Warnings, len(s.Lines))
	}
	if s := Of(group()); s.Title == "" || len(s.Lines) != 1 || len(s.Calibration) != 1 {
		t.Errorf("of nothing: %+v", s)
	}
}

// What dates a run and makes it repeatable is shown, the rest of the calibration
// too, and results of two versions in one table warn.
func TestRun(t *testing.T) {
	s := Of(group("cpu", "x", "origin", "measured", "spin2-ratio", "2.0", "lost", "0", "delay-ns", "1003", "clock-ns", "27.3",
		"date", "2026-01-02T03:04:05Z", "suite", "quick", "samples", "10", "cell", "80ms", "version", "v0.1.0", "commit", "abc"))
	text := ""
	for _, l := range append(s.Calibration, s.Lines...) {
		text += l.Label + ": " + l.Text + "\n"
	}
	for _, want := range []string{
		"run: 2026-01-02T03:04:05Z, suite quick, 10 samples, 80ms each\n", "version: v0.1.0, commit abc\n",
		"lost: 0 % of a CPU", "costs: spin.Delay(1us) 1003 ns, reading the clock 27.3 ns\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(s.Warnings) > 0 {
		t.Errorf("warnings %v", s.Warnings)
	}
	if s := Of(group("origin", "measured", "version", "v0.1.0;v0.2.0")); len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "several versions") {
		t.Errorf("two versions: warnings %v", s.Warnings)
	}
}
