// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/facts"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/measure"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/render"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
	"github.com/turnstile-go/turnstile/lockbench"
	"github.com/turnstile-go/turnstile/spin"
)

// introduce says what machine this is and what will be measured on it. It shows
// the calibration with the digits that the file leaves out.
func introduce(h *measure.Host, s lockbench.Suite, locks []lockbench.Lock) string {
	g := new(report.Group)
	for _, kv := range h.Keys {
		switch c := h.Calibration; kv.Key {
		case "spin2-ratio":
			kv.Value = fmt.Sprintf("%.2f", c.Spin2Ratio)
		case "pause-ns":
			kv.Value = fmt.Sprintf("%.1f", c.PauseNs)
		case "lost":
			kv.Value = fmt.Sprintf("%.0f", 100*c.Lost)
		}
		g.Facts = append(g.Facts, report.Fact{Key: kv.Key, Values: []string{kv.Value}})
	}
	var b strings.Builder
	sheet := facts.Of(g)
	sheet.Lines = append(sheet.Lines, facts.Line{Label: "features", Text: features(h.Features)})
	render.Facts(&b, sheet)
	if h.Topology != nil {
		_, tree, _ := strings.Cut(h.Topology.String(), "\n") // its first line counts CPUs again
		fmt.Fprintf(&b, "\n%s", tree)
	}
	fmt.Fprintf(&b, "\n%s\n\n", planned(s, locks))
	return b.String()
}

// features are those that no file key tells.
func features(in spin.Info) string {
	parts := []string{"pause instruction tested"}
	if !in.PauseTested {
		parts[0] = "pause instruction untested: nothing that it was tested on is like this CPU"
	}
	if in.LSE {
		parts = append(parts, "LSE atomics")
	}
	parts = append(parts, "membarrier "+in.Membarrier)
	for _, note := range []string{in.PauseNote, in.HooksNote} {
		if note != "" {
			parts = append(parts, note)
		}
	}
	return strings.Join(parts, "; ")
}

// planned says what will be measured and how long that takes at least.
func planned(s lockbench.Suite, locks []lockbench.Lock) string {
	var names []string
	for _, l := range locks {
		names = append(names, l.Name)
	}
	n := len(s.Loads) * len(locks) * s.Samples
	return fmt.Sprintf("suite %s: %d loads of %s in turns, %d samples of %v each, %v and a little more",
		s.Name, len(s.Loads), strings.Join(names, ", "), s.Samples, s.Cell, (time.Duration(n) * s.Cell).Round(time.Second))
}

// terminalWidth is the width of the terminal that w is, or 0 where it is none or
// cannot rewrite a line.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		return 80
	}
	return width
}
