// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"github.com/turnstile-go/turnstile/numa"
	"github.com/turnstile-go/turnstile/spin"
)

// pkgPath is this package.
const pkgPath = "github.com/turnstile-go/turnstile/lockbench"

// A KeyValue is a line "key: value" at the head of a file of results.
type KeyValue struct{ Key, Value string }

// FileKeys returns what a file of results says about its machine, in the order
// to write. Keys whose value is not known are left out, except those of the
// topology, which say "unknown" then, also when t is nil. Measured values are
// rounded so that two files of one machine agree in them most of the time, lost to
// the nearest 5 percent: benchstat makes tables apart for files that do not.
func FileKeys(t *numa.Topology, c Calibration) []KeyValue {
	features := spin.Features()
	keys := []KeyValue{
		{"goos", runtime.GOOS},
		{"goarch", runtime.GOARCH},
		{"pkg", pkgPath},
		{"cpu", cpuName()},
	}
	keys = append(keys, topologyKeys(t)...)
	keys = append(keys,
		KeyValue{"placement", numa.Unpinned.String()},
		KeyValue{"home", "first-touch"},
		KeyValue{"caches", caches(t)},
		KeyValue{"virt", virtualisation()},
		KeyValue{"kernel", kernelRelease()},
		KeyValue{"toolchain", runtime.Version()},
		KeyValue{"gomaxprocs", strconv.Itoa(runtime.GOMAXPROCS(0))},
		KeyValue{"usable-cpus", strconv.Itoa(UsableCPUs())},
		KeyValue{"hooks", features.Hooks},
		KeyValue{"pause", features.Pause},
		KeyValue{"pause-ns", rounded(c.PauseNs, 0)},
		KeyValue{"spin2-ratio", rounded(c.Spin2Ratio, 1)},
		KeyValue{"lost", lostPercent(c)},
		KeyValue{"version", moduleVersion()},
		KeyValue{"commit", commit()},
		KeyValue{"origin", "measured"},
	)
	known := keys[:0]
	for _, kv := range keys {
		if kv.Value = oneLine(kv.Value); kv.Value != "" {
			known = append(known, kv)
		}
	}
	return known
}

// topologyKeys describe the machine's CPUs.
func topologyKeys(t *numa.Topology) []KeyValue {
	if t == nil {
		t = &numa.Topology{}
	}
	keys := []KeyValue{
		{"topology", shape(t)},
		{"nodes", count(len(t.Nodes))},
		{"packages", count(len(t.Packages))},
		{"clusters", count(len(t.Clusters))},
		{"smt", smt(t)},
		{"cpus-online", "unknown"},
		{"quota", ""},
	}
	if len(t.CPUs) > 0 {
		keys[5].Value = t.Online().String()
	}
	if t.Quota > 0 {
		keys[6].Value = strconv.FormatFloat(t.Quota, 'g', 4, 64)
	}
	return keys
}

// shape is the topology in a few words, "1 package, 1 node, 2 cores, 4 cpus".
func shape(t *numa.Topology) string {
	if len(t.CPUs) == 0 {
		return "unknown"
	}
	var parts []string
	for _, part := range []struct {
		n    int
		name string
	}{
		{len(t.Packages), "package"}, {len(t.Nodes), "node"}, {len(t.Clusters), "cluster"},
		{t.Cores(), "core"}, {len(t.CPUs), "cpu"},
	} {
		if part.n != 1 {
			part.name += "s"
		}
		parts = append(parts, fmt.Sprintf("%d %s", part.n, part.name))
	}
	return strings.Join(parts, ", ")
}

// smt is the number of hardware threads of a core.
func smt(t *numa.Topology) string {
	if len(t.CPUs) == 0 {
		return "unknown"
	}
	return strconv.Itoa(t.SMT())
}

// count writes a number of things of which there is at least one.
func count(n int) string {
	if n == 0 {
		return "unknown"
	}
	return strconv.Itoa(n)
}

// rounded writes a measured value, nothing when there is none.
func rounded(v float64, decimals int) string {
	if v <= 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// lostPercent is Calibration.Lost to the nearest 5 %, nothing without a calibration.
func lostPercent(c Calibration) string {
	if c == (Calibration{}) {
		return ""
	}
	return strconv.FormatFloat(5*math.Round(20*c.Lost), 'f', 0, 64)
}

// oneLine makes a value fit for a line of a file.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
