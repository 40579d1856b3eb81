// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package numa_test

import (
	"testing"

	"github.com/klauspost/cpuid/v2"
	"github.com/klauspost/cpuid/v2/topology"

	"github.com/turnstile-go/turnstile/numa"
)

// TestHostAgreesWithCPUID compares this machine with what its CPUs say of
// themselves. A hypervisor may tell the kernel and the CPUs different stories,
// or none: cores and packages are compared where CPUID has leaves about them,
// clusters where the kernel names a cache of level 3, the CPUs always.
func TestHostAgreesWithCPUID(t *testing.T) {
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	sys, err := cpuid.ScanTopology()
	if err != nil {
		t.Skipf("the CPUs cannot be scanned: %v", err)
	}
	core, group, pkg := map[int]int{}, map[int]int{}, map[int]int{}
	cores, groups := 0, 0
	each := func(c topology.Core, p int) {
		for _, th := range c.Threads {
			core[th.ID], group[th.ID], pkg[th.ID] = cores, groups, p
		}
		cores++
	}
	for p := range sys.Packages {
		for _, g := range sys.Packages[p].Groups {
			for _, c := range g.Cores {
				each(c, p)
			}
			groups++
		}
	}
	var got, want [3][]int
	leaves := numa.TopologyLeaves()
	if !leaves {
		t.Log("CPUID says nothing about cores and packages on this machine")
	}
	named := len(h.Clusters) > 0 && h.Clusters[0].Level == 3
	for _, c := range h.CPUs {
		if !c.Allowed {
			continue // not scanned
		}
		if _, ok := core[c.ID]; !ok {
			t.Errorf("CPU %d is not found by the scan", c.ID)
		}
		if !leaves {
			continue
		}
		got[0], want[0] = append(got[0], c.Core), append(want[0], core[c.ID])
		got[1], want[1] = append(got[1], c.Package), append(want[1], pkg[c.ID])
		if named {
			got[2], want[2] = append(got[2], c.Cluster), append(want[2], group[c.ID])
		}
	}
	for i, what := range []string{"core", "package", "cluster"} {
		samePartition(t, what, got[i], want[i])
	}
}
