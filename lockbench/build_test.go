// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"runtime/debug"
	"testing"
)

func TestVersionIn(t *testing.T) {
	ours := func(version string, replace *debug.Module) *debug.Module {
		return &debug.Module{Path: modulePath, Version: version, Replace: replace}
	}
	other := &debug.Module{Path: "example.com/other", Version: "v9.9.9"}
	for _, c := range []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"itself, installed", debug.BuildInfo{Main: *ours("v1.2.3", nil)}, "v1.2.3"},
		{"itself, from its folder", debug.BuildInfo{Main: *ours("(devel)", nil)}, ""},
		{"in another program", debug.BuildInfo{Main: *other, Deps: []*debug.Module{other, ours("v1.2.3", nil)}}, "v1.2.3"},
		{"replaced by a fork", debug.BuildInfo{Main: *other, Deps: []*debug.Module{ours("v1.2.3", &debug.Module{Version: "v0.1.0"})}}, "v0.1.0"},
		{"replaced by a folder", debug.BuildInfo{Main: *other, Deps: []*debug.Module{ours("v1.2.3", &debug.Module{})}}, ""},
		{"not there", debug.BuildInfo{Main: *other}, ""},
	} {
		if got := versionIn(&c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLostPercent(t *testing.T) {
	for lost, want := range map[float64]string{0: "0", 0.02: "0", 0.11: "10", 0.904: "90"} {
		if got := lostPercent(Calibration{Spin2Ratio: 2, Lost: lost}); got != want {
			t.Errorf("lost %v: %q, want %q", lost, got, want)
		}
	}
	if got := lostPercent(Calibration{}); got != "" {
		t.Errorf("without a calibration: %q", got)
	}
}
