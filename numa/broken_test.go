// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/fakesys"
	"github.com/turnstile-go/turnstile/numa"
)

const (
	cpuDir  = "sys/devices/system/cpu/"
	nodeDir = "sys/devices/system/node/"
)

// TestBrokenTrees damages well-formed trees one file at a time: what is left
// must be said, what is gone must be unknown, and a warning must tell.
func TestBrokenTrees(t *testing.T) {
	for name, c := range map[string]struct {
		spec  string
		files map[string]string // "" removes the file
		check func(*numa.Topology) string
		want  string
		note  string
	}{
		"a CPU that others do not count as their sibling": {
			"l3:1 core:2 pu:2", map[string]string{cpuDir + "cpu0/topology/core_cpus_list": "0-2"},
			cores, "-1 -1 0 0", "the CPUs of a core contradict each other: CPUs 0-1"},
		"a CPU that is not its own sibling": {
			"l3:1 core:2 pu:2", map[string]string{cpuDir + "cpu0/topology/core_cpus_list": "2-3"},
			cores, "-1 -1 0 0", "the CPUs of a core contradict each other: CPUs 0-1"},
		"a list that is none, beside a good mask": {
			"l3:1 core:2 pu:2", map[string]string{cpuDir + "cpu0/topology/core_cpus_list": "zz"},
			cores, "0 0 1 1", `core_cpus_list is not readable`},
		"no topology of one CPU, which its sibling names": {
			"l3:1 core:2 pu:2", map[string]string{cpuDir + "cpu3/topology": ""},
			cores, "0 0 1 1", "the package is not known: CPUs 3"},
		"no topology of a CPU that nobody names": {
			"l3:1 core:3", map[string]string{cpuDir + "cpu2/topology": ""},
			cores, "0 1 -1", "the core is not known: CPUs 2"},
		"siblings in a chain": {
			"l3:1 core:2 pu:2", map[string]string{cpuDir + "cpu1/topology/core_cpus_list": "1-2"},
			cores, "-1 -1 0 0", "the CPUs of a core contradict each other: CPUs 0-1"},
		"no topology at all": {
			"core:2 nocaches", map[string]string{cpuDir + "cpu0/topology": "", cpuDir + "cpu1/topology": ""},
			cores, "-1 -1", "the core is not known: CPUs 0-1"},
		"no caches of one CPU, which another names": {
			"pack:2 l3:1 core:2", map[string]string{cpuDir + "cpu3/cache": ""},
			clusters, "0 0 1 1", ""},
		"no L3 of one CPU, whose neighbour names it": {
			"pack:2 l3:1 core:2", map[string]string{cpuDir + "cpu3/cache/index3": ""},
			clusters, "0 0 1 1", ""},
		"no caches of a CPU that nobody names": {
			"l3:1 core:3", map[string]string{cpuDir + "cpu2/cache": "", cpuDir + "cpu0/cache/index3/shared_cpu_list": "0-1",
				cpuDir + "cpu1/cache/index3/shared_cpu_list": "0-1"},
			clusters, "0 0 -1", "the last-level cache is not known: CPUs 2"},
		"cores with an L2 only beside an L3": {
			"l3:1 core:4", map[string]string{cpuDir + "cpu2/cache/index3": "", cpuDir + "cpu3/cache/index3": "",
				cpuDir + "cpu0/cache/index3/shared_cpu_list": "0-1", cpuDir + "cpu1/cache/index3/shared_cpu_list": "0-1",
				cpuDir + "cpu2/cache/index2/shared_cpu_list": "2-3", cpuDir + "cpu3/cache/index2/shared_cpu_list": "2-3"},
			clusters, "0 0 1 1", ""},
		"no caches of one package": {
			"pack:2 l3:1 core:2", map[string]string{cpuDir + "cpu2/cache": "", cpuDir + "cpu3/cache": ""},
			clusters, "0 0 1 1", "no shared cache is named"},
		"no caches, packages or dies": {
			"numa:2 core:2 nocaches nopackids nodies nosets", nil,
			clusters, "0 0 1 1", "no shared cache is named"},
		"cache level that is no number": {
			"l3:2 core:2", map[string]string{cpuDir + "cpu0/cache/index3/level": "three", cpuDir + "cpu1/cache/index3/level": "x"},
			clusters, "0 1 2 2", `holds "three", not a number`},
		"nodes that share one CPU": {
			"numa:2 l3:1 core:2", map[string]string{nodeDir + "node0/cpulist": "0-2"},
			nodes, "0 0 -1 1", "several nodes list CPUs 2"},
		"a CPU in no node": {
			"numa:2 l3:1 core:2", map[string]string{nodeDir + "node0/cpulist": "0"},
			nodes, "0 -1 1 1", "the node is not known: CPUs 1"},
		"a node without CPU files": {
			"numa:2 l3:1 core:2", map[string]string{nodeDir + "node0/cpulist": "", nodeDir + "node0/cpumap": ""},
			nodes, "-1 -1 1 1", "node 0 does not say which CPUs it has"},
		"a node that is online and has no directory": {
			"numa:2 l3:1 core:2", map[string]string{nodeDir + "node0": ""},
			nodes, "-1 -1 1 1", "nodes 0 are listed as online and have no directory"},
		"a distance that is none": {
			"numa:2 l3:1 core:2", map[string]string{nodeDir + "node0/distance": "10 far"},
			distances, "0 0 12 10", `"far" is not a distance`},
		"no distances of one node": {
			"numa:2 l3:1 core:2", map[string]string{nodeDir + "node1/distance": ""},
			distances, "10 12 0 0", "the distances of node 1 are not known"},
		"a node offline whose column is left": {
			"numa:2 l3:1 core:2", map[string]string{nodeDir + "online": "1", nodeDir + "node0": ""},
			distances, "0", "node 1 lists 2 distances for 1 online nodes"},
		"a CPU listed online without a directory": {
			"l3:1 core:4", map[string]string{cpuDir + "online": "0-3,7"},
			cores, "0 1 2 3", "CPUs 7 are listed as online and have no directory"},
		"an empty list of online CPUs": {
			"l3:1 core:2 offline:1", map[string]string{cpuDir + "online": "\n"},
			cores, "0", ""},
		"mask padded with NUL bytes": {
			"l3:1 core:2 pu:2 masks", map[string]string{cpuDir + "cpu0/topology/thread_siblings": "00000000,00000003\n\x00\x00"},
			cores, "0 0 1 1", ""},
		"dies of -1 listed CPU by CPU": {
			"l3:1 core:2", map[string]string{cpuDir + "cpu0/topology/die_id": "-1", cpuDir + "cpu1/topology/die_id": "-1",
				cpuDir + "cpu0/topology/die_cpus_list": "0", cpuDir + "cpu1/topology/die_cpus_list": "1"},
			dies, "-1 -1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := fakesys.MustParse(c.spec).FS()
			for path, content := range c.files {
				f.Remove(path)
				if content != "" {
					f.Set(path, content)
				}
			}
			top, err := numa.Read(f)
			if err != nil {
				t.Fatal(err)
			}
			checkInvariants(t, top)
			if got := c.check(top); got != c.want {
				t.Errorf("got %s, want %s\n%v", got, c.want, top)
			}
			notes := strings.Join(top.Warnings, "\n")
			if c.note == "" && notes != "" || !strings.Contains(notes, c.note) {
				t.Errorf("warnings %q, want %q", notes, c.note)
			}
		})
	}
}

// each joins f of all CPUs.
func each(top *numa.Topology, f func(numa.CPU) int) string {
	var out []string
	for _, c := range top.CPUs {
		out = append(out, fmt.Sprint(f(c)))
	}
	return strings.Join(out, " ")
}

func cores(top *numa.Topology) string { return each(top, func(c numa.CPU) int { return c.Core }) }
func dies(top *numa.Topology) string  { return each(top, func(c numa.CPU) int { return c.Die }) }
func nodes(top *numa.Topology) string { return each(top, func(c numa.CPU) int { return c.Node }) }
func clusters(top *numa.Topology) string {
	return each(top, func(c numa.CPU) int { return c.Cluster })
}

// distances joins the table.
func distances(top *numa.Topology) string {
	var out []string
	for _, from := range top.Nodes {
		for _, to := range top.Nodes {
			out = append(out, fmt.Sprint(top.Distance(from.ID, to.ID)))
		}
	}
	return strings.Join(out, " ")
}

// TestRandomDamage puts random contents into random files: Read must keep its
// promises and String must not panic.
func TestRandomDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	contents := []string{"", "\n", "0", "-1", "3", "0-3", "0-99999", "4294967295", "x", "0,2", "ff", "ffffffff,00000001",
		"10 20", "10", "\x00", "max", "Unified", "999999999999999999999999", "Node 0 MemTotal: 99999999999999999999 kB"}
	rounds := 400
	if testing.Short() {
		rounds = 50
	}
	for range rounds {
		spec := randomSpec(rng)
		f := fakesys.MustParse(spec + " cgroup:/a/b quota:2|3 cpuset:0-3|0-2 affinity:0-1").FS()
		names := f.Files()
		for range 1 + rng.IntN(8) {
			name, content := names[rng.IntN(len(names))], contents[rng.IntN(len(contents))]
			if rng.IntN(4) == 0 {
				f.Remove(name)
			} else {
				f.Set(name, content)
			}
		}
		top, err := numa.Read(f)
		if err != nil {
			continue // no CPU is left
		}
		checkInvariants(t, top)
		if top.String() == "" || top.Allowed().Empty() || t.Failed() {
			t.Fatalf("machine %s\n%v", spec, top)
		}
	}
}
