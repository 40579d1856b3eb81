// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/numa"
)

func TestKey(t *testing.T) {
	cpus, err := numa.ParseCPUSet("0-1")
	if err != nil {
		t.Fatal(err)
	}
	for want, l := range map[string]Load{
		"goroutines=1/hold=0/think=0":                           {Goroutines: 1},
		"goroutines=4/hold=50ns/think=1us":                      {Goroutines: 4, Hold: 50, Think: time.Microsecond},
		"goroutines=64/hold=1.5us/think=10ms":                   {Goroutines: 64, Hold: 1500, Think: 10 * time.Millisecond},
		"goroutines=2/hold=0/think=0/place=compact":             {Goroutines: 2, Place: numa.Compact},
		"goroutines=2/hold=0/think=0/place=cpus(0-1)":           {Goroutines: 2, Place: numa.OnCPUs(cpus)},
		"goroutines=2/hold=1s/think=1m0s/place=node(1)":         {Goroutines: 2, Hold: time.Second, Think: time.Minute, Place: numa.OnNode(1)},
		"goroutines=1024/hold=5us/think=100ns/place=cluster(1)": {Goroutines: 1024, Hold: 5000, Think: 100, Place: numa.OnCluster(1)},
	} {
		if got := l.Key(); got != want {
			t.Errorf("Key() = %s, want %s", got, want)
		}
	}
}

// inName is what a part of a benchmark name may look like here.
var inName = regexp.MustCompile(`^[!-~]+$`)

func TestNamesOfAllSuitesCanBeReadBack(t *testing.T) {
	for _, s := range Suites() {
		seen := map[string]bool{}
		for _, l := range s.Loads {
			key := l.Key()
			if seen[key] {
				t.Errorf("suite %s has %s twice", s.Name, key)
			}
			seen[key] = true
			if !inName.MatchString(key) || readAsProc.MatchString(key) {
				t.Errorf("suite %s: %q would not be read back", s.Name, key)
			}
		}
	}
}

func TestBadLoads(t *testing.T) {
	for want, l := range map[string]Load{
		"load has 0 goroutines, want 1 to 1048576":           {},
		"load has -3 goroutines, want 1 to 1048576":          {Goroutines: -3},
		"load has 1048577 goroutines, want 1 to 1048576":     {Goroutines: 1<<20 + 1},
		"load has a hold of -1ns, want 0 to 1m0s":            {Goroutines: 1, Hold: -1},
		"load has a think of 1m0.000000001s, want 0 to 1m0s": {Goroutines: 1, Think: time.Minute + 1},
	} {
		err := l.check()
		if err == nil || err.Error() != "lockbench: "+want || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, want lockbench: %s", l, err, want)
		}
	}
	if err := (Load{Goroutines: 1}).check(); err != nil {
		t.Errorf("the simplest load: %v", err)
	}
}
