// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"strings"
	"testing"
)

func TestHeader(t *testing.T) {
	keys := []KeyValue{{"goos", "linux"}, {"pkg", pkgPath}, {"origin", "measured"}}
	got := headerText(keys, Calibration{Spin2Ratio: 1.5}, "example.com/mine")
	const start = "goos: linux\npkg: example.com/mine\norigin: measured\n# two spinners do 1.50 times"
	if !strings.HasPrefix(got, start) || !strings.HasSuffix(got, "\n\n"+UnitLines()) {
		t.Errorf("header\n%s\nwant it to start\n%s", got, start)
	}
}

func TestPackageOf(t *testing.T) {
	for function, want := range map[string]string{
		"testing.(*B).runN":                    "testing",
		"example.com/a.b/lock_test.BenchmarkX": "example.com/a.b/lock_test",
		"example.com/a.b/lock.(*T).Lock.func1": "example.com/a.b/lock",
		pkgPath + ".Bench":                     pkgPath,
		"main":                                 "",
		"":                                     "",
	} {
		if got := packageOf(function); got != want {
			t.Errorf("packageOf(%q) = %q, want %q", function, got, want)
		}
	}
}

func TestCallingPackage(t *testing.T) {
	if got := callingPackage(pkgPath); got != pkgPath {
		t.Errorf("called from this package: %q", got)
	}
	if got := callingPackage("example.com/other"); got != pkgPath {
		t.Errorf("called into another package: %q, want this one", got)
	}
}
