// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/turnstile-go/turnstile/numa"
)

func keyMap(keys []KeyValue) map[string]string {
	m := map[string]string{}
	for _, kv := range keys {
		m[kv.Key] = kv.Value
	}
	return m
}

// twoNodes is a machine of 2 packages, 2 nodes, 4 cores with 2 threads each.
func twoNodes() *numa.Topology {
	t := &numa.Topology{}
	for id := range 8 {
		t.CPUs = append(t.CPUs, numa.CPU{ID: id, Core: id / 2, Cluster: id / 4, Die: id / 4, Package: id / 4, Node: id / 4, Allowed: id < 6})
	}
	for id := range 2 {
		t.Nodes = append(t.Nodes, numa.Node{ID: id})
		t.Clusters = append(t.Clusters, numa.Cluster{ID: id})
		t.Packages = append(t.Packages, numa.Package{ID: id})
	}
	return t
}

func TestFileKeys(t *testing.T) {
	topo := twoNodes()
	topo.Quota = 2.5
	got := keyMap(FileKeys(topo, Calibration{Spin2Ratio: 1.96, PauseNs: 23.8}))
	for key, want := range map[string]string{
		"topology":    "2 packages, 2 nodes, 2 clusters, 4 cores, 8 cpus",
		"nodes":       "2",
		"packages":    "2",
		"clusters":    "2",
		"smt":         "2",
		"cpus-online": "0-7",
		"quota":       "2.5",
		"placement":   "unpinned",
		"home":        "first-touch",
		"spin2-ratio": "2.0",
		"lost":        "0",
		"caches":      caches(topo),
		"pause-ns":    "24",
		"origin":      "measured",
		"pkg":         pkgPath,
	} {
		if got[key] != want {
			t.Errorf("%s: %q, want %q", key, got[key], want)
		}
	}
}

func TestFileKeysWithoutTopology(t *testing.T) {
	got := keyMap(FileKeys(nil, Calibration{}))
	for _, key := range []string{"topology", "nodes", "packages", "clusters", "smt", "cpus-online"} {
		if got[key] != "unknown" {
			t.Errorf("%s: %q, want unknown", key, got[key])
		}
	}
	if v, ok := got["spin2-ratio"]; ok {
		t.Errorf("spin2-ratio: %q without a calibration", v)
	}
}

func TestFileKeysCanBeReadBack(t *testing.T) {
	key := regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	seen := map[string]bool{}
	for _, kv := range FileKeys(twoNodes(), Calibration{}) {
		if !key.MatchString(kv.Key) || seen[kv.Key] {
			t.Errorf("key %q is bad or there twice", kv.Key)
		}
		seen[kv.Key] = true
		if kv.Value == "" || kv.Value != strings.Join(strings.Fields(kv.Value), " ") {
			t.Errorf("%s: value %q is empty or not one line", kv.Key, kv.Value)
		}
	}
}

func TestUsableCPUs(t *testing.T) {
	for _, c := range []struct {
		name        string
		procs, cpus int
		quota       float64
		want        int
	}{
		{"affinity of the topology", 16, 16, 0, 6},
		{"affinity of the runtime", 16, 3, 0, 3},
		{"GOMAXPROCS", 4, 16, 0, 4},
		{"quota", 16, 16, 2.5, 3},
		{"half a CPU", 16, 16, 0.5, 1},
		{"quota above all", 16, 16, 64, 6},
	} {
		topo := twoNodes()
		topo.Quota = c.quota
		if got := usableOn(topo, c.procs, c.cpus); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if n := UsableCPUs(); n < 1 {
		t.Errorf("UsableCPUs() = %d here", n)
	}
}

func TestVirtualisation(t *testing.T) {
	const dmi = "sys/class/dmi/id/"
	for _, c := range []struct {
		want, flags string
		files       map[string]string
	}{
		{"", "", nil},
		{"none", "fpu vme", nil},
		{"vm", "fpu hypervisor sse", nil},
		{"none", "fpu not_hypervisor_really", nil},
		{"xen", "fpu hypervisor", map[string]string{"sys/hypervisor/type": "xen\n"}},
		{"qemu", "hypervisor", map[string]string{dmi + "sys_vendor": "QEMU\n"}},
		{"qemu", "", map[string]string{dmi + "sys_vendor": "QEMU\n"}},
		{"hyper-v", "hypervisor", map[string]string{dmi + "sys_vendor": "Microsoft Corporation\n", dmi + "product_name": "Virtual Machine\n"}},
		{"none", "fpu", map[string]string{dmi + "sys_vendor": "Google\n"}},
		{"none", "", map[string]string{dmi + "sys_vendor": "Amazon EC2\n", dmi + "product_name": "c7g.metal\n"}},
		{"", "", map[string]string{dmi + "sys_vendor": "Some Maker\n"}},
	} {
		fsys := fstest.MapFS{}
		for name, text := range c.files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := detectVirtualisation(fsys, c.flags); got != c.want {
			t.Errorf("flags %q, files %v: %q, want %q", c.flags, c.files, got, c.want)
		}
	}
}

func TestCPUInfo(t *testing.T) {
	text := "processor\t: 0\nmodel name\t: Some CPU: fast\nflags\t\t: fpu hypervisor\n\nprocessor\t: 1\nmodel name\t: Other\n"
	info := readCPUInfo(fstest.MapFS{"proc/cpuinfo": &fstest.MapFile{Data: []byte(text)}})
	if info["model name"] != "Some CPU: fast" || info["flags"] != "fpu hypervisor" {
		t.Errorf("read %v", info)
	}
	if info := readCPUInfo(fstest.MapFS{}); len(info) != 0 {
		t.Errorf("read %v from nothing", info)
	}
}
