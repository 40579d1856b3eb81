// SPDX-License-Identifier: BSD-3-Clause

// Package facts puts the file keys of a group into words: what the numbers were
// measured on, and what that means for believing them.
package facts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// A Line is one fact for people.
type Line struct{ Label, Text string }

// A Sheet is what is known about a machine.
type Sheet struct {
	Title       string // the processor's name
	Calibration []Line // stands first: it decides whether the rest means anything
	Lines       []Line
	Warnings    []string
}

// SharedCore is the throughput of two spinners over one below which two CPUs are
// not taken for two cores: 2 is two of them, 1 is one core shared.
const SharedCore = 1.5

// Busy is the percentage of a CPU lost to others above which a machine is too busy
// to be judged by its spinners, and its numbers are those of a busy machine.
const Busy = 10

// Of describes the group.
func Of(g *report.Group) Sheet {
	f := &reader{group: g}
	s := Sheet{Title: f.or("cpu", "processor not stated")}
	s.spinners(f)
	s.add("CPUs", f.cpus())
	s.add("caches", f.or("caches", ""))
	s.add("virtualisation", f.or("virt", ""))
	s.add("pause", f.pause())
	s.hooks(f)
	s.add("system", f.system())
	s.add("Go", f.or("toolchain", ""))
	s.version(f)
	s.add("placement", f.place())
	s.add("run", f.when())
	s.add("origin", f.or("origin", "unstated"))
	if o := g.Origin(); o != "measured" && o != "unstated" {
		s.Warnings = append(s.Warnings, "these numbers were not measured on this hardware: origin "+o)
	}
	for _, fact := range g.Facts {
		if !slices.Contains(f.used, fact.Key) && fact.Key != "pkg" {
			s.add(fact.Key, strings.Join(fact.Values, ", "))
		}
	}
	return s
}

func (s *Sheet) add(label, text string) {
	if text != "" {
		s.Lines = append(s.Lines, Line{label, text})
	}
}

// spinners states the calibration and warns when it says that the CPUs are busy or
// not real. Busy comes first: two spinners among other programs get little done also
// with a core each.
func (s *Sheet) spinners(f *reader) {
	text := f.or("spin2-ratio", "")
	lost, lostKnown := f.highest("lost")
	low, known := f.lowest("spin2-ratio")
	says := "two CPUs that run side by side"
	switch {
	case text == "":
		says = "not calibrated"
	case known && low <= 0:
		says = "not measured"
	case lost > Busy:
		says = fmt.Sprintf("the machine is busy: other programs took %.0f %% of a CPU", lost)
		s.Warnings = append(s.Warnings, says+" during the calibration, or its host did, so the numbers say as much about them as about the locks")
	case known && low < SharedCore && lostKnown:
		says = "the two CPUs share a core"
		s.warnShared(low, "the CPUs share a core")
	case known && low < SharedCore:
		says = "the two CPUs share a core, or the machine was busy"
		s.warnShared(low, "the CPUs share a core or the machine was busy")
	}
	if text != "" {
		says = text + " times the work of one (2 is two cores, 1 is one shared): " + says
	}
	s.calibrated("two spinners", says)
	if v := f.or("lost", ""); lostKnown && lost <= Busy { // else it was said
		s.calibrated("lost", v+" % of a CPU, to other programs and the host")
	}
	s.calibrated("costs", f.costs())
}

func (s *Sheet) warnShared(ratio float64, why string) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(
		"two spinners get only %.2f times the work of one: %s, so rows with 2 goroutines and more say little about separate cores", ratio, why))
}

func (s *Sheet) calibrated(label, text string) {
	if text != "" {
		s.Calibration = append(s.Calibration, Line{label, text})
	}
}

// costs are the parts of the calibration that go into single numbers.
func (f *reader) costs() string {
	var parts []string
	for _, k := range []struct{ key, text string }{
		{"delay-ns", "spin.Delay(1us) %s ns"}, {"clock-ns", "reading the clock %s ns"},
		{"hold50-ns", "a hold of 50 ns %s ns"}, {"harness-ns", "the harness %s ns an acquisition"},
	} {
		if v := f.or(k.key, ""); v != "" {
			parts = append(parts, fmt.Sprintf(k.text, v))
		}
	}
	return strings.Join(parts, ", ")
}

// when is what makes a run repeatable: its date and what was asked for.
func (f *reader) when() string {
	parts := []string{f.or("date", "")}
	if v := f.or("suite", ""); v != "" {
		parts = append(parts, "suite "+v)
	}
	if v := f.or("samples", ""); v != "" {
		if v += " sample"; v != "1 sample" {
			v += "s"
		}
		parts = append(parts, v)
	}
	if v := f.or("cell", ""); v != "" {
		parts = append(parts, v+" each")
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// version is that of the locks measured. Results of several in one table warn.
func (s *Sheet) version(f *reader) {
	v, commit := f.or("version", ""), f.or("commit", "")
	if commit != "" {
		v = strings.TrimPrefix(v+", commit "+commit, ", ")
	}
	s.add("version", v)
	if len(f.group.Fact("version")) > 1 || len(f.group.Fact("commit")) > 1 {
		s.Warnings = append(s.Warnings, "results of several versions stand in one table: "+v)
	}
}

// hooks says how goroutines sleep, which bounds what a lock can do.
func (s *Sheet) hooks(f *reader) {
	v := f.or("hooks", "")
	if v == "portable" {
		v = "portable: built for an unknown Go release or with the tag purego, locks park without the runtime's help"
	}
	s.add("runtime hooks", v)
}

// A reader looks facts up and remembers which were used.
type reader struct {
	group *report.Group
	used  []string
}

func (f *reader) or(key, missing string) string {
	f.used = append(f.used, key)
	if v := f.group.Fact(key); len(v) > 0 {
		return strings.Join(v, ", ")
	}
	return missing
}

func (f *reader) lowest(key string) (low float64, known bool) {
	for _, v := range f.group.Fact(key) {
		if x, err := strconv.ParseFloat(v, 64); err == nil && (!known || x < low) {
			low, known = x, true
		}
	}
	return low, known
}

func (f *reader) highest(key string) (high float64, known bool) {
	for _, v := range f.group.Fact(key) {
		if x, err := strconv.ParseFloat(v, 64); err == nil && (!known || x > high) {
			high, known = x, true
		}
	}
	return high, known
}

// system is the operating system with its kernel.
func (f *reader) system() string {
	s := f.or("goos", "")
	if arch := f.or("goarch", ""); arch != "" {
		s += "/" + arch
	}
	if k := f.or("kernel", ""); k != "" {
		s += ", kernel " + k
	}
	return strings.TrimPrefix(s, ", ")
}

// cpus counts what the topology has.
func (f *reader) cpus() string {
	s := f.or("topology", "")
	f.or("nodes", "") // counted in the topology
	f.or("packages", "")
	f.or("clusters", "")
	for _, k := range []struct{ key, text string }{
		{"smt", "%s hardware threads a core"}, {"cpus-online", "online %s"}, {"usable-cpus", "usable %s"},
		{"quota", "quota %s"}, {"gomaxprocs", "GOMAXPROCS %s"},
	} {
		if v := f.or(k.key, ""); v != "" && (k.key != "smt" || v != "1") {
			s += ", " + fmt.Sprintf(k.text, v)
		}
	}
	return strings.TrimPrefix(s, ", ")
}

// pause is the instruction with its calibrated cost.
func (f *reader) pause() string {
	s := f.or("pause", "")
	if ns := f.or("pause-ns", ""); ns != "" {
		s = strings.TrimPrefix(s+", "+ns+" ns each", ", ")
	}
	return s
}

// place is where the goroutines ran and where the lock's memory was.
func (f *reader) place() string {
	s := f.or("placement", "")
	if home := f.or("home", ""); home != "" {
		s = strings.TrimPrefix(s+", memory "+home, ", ")
	}
	return s
}
