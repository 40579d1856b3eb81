// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"runtime"
	"testing"

	"github.com/turnstile-go/turnstile/numa"
)

func TestHost(t *testing.T) {
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	again, _ := numa.Host()
	if h != again {
		t.Error("Host is not cached")
	}
	// The Go runtime counts the CPUs its first thread may use.
	if got := h.Allowed().Len(); got != runtime.NumCPU() {
		t.Errorf("%d CPUs are allowed, the runtime counts %d", got, runtime.NumCPU())
	}
	if h.Usable() < 1 || len(h.Nodes) == 0 || h.String() == "" {
		t.Errorf("host is not usable: %+v", h)
	}
	checkInvariants(t, h)
}

// checkInvariants checks N1 and N2 of the package documentation.
func checkInvariants(t *testing.T, top *numa.Topology) {
	t.Helper()
	type part struct {
		cpus numa.CPUSet
		of   func(numa.CPU) bool
	}
	var parts []part
	for i, c := range top.Clusters {
		if c.ID != i {
			t.Errorf("cluster %d has ID %d", i, c.ID)
		}
		parts = append(parts, part{c.CPUs, func(x numa.CPU) bool { return x.Cluster == c.ID }})
	}
	for i, n := range top.Nodes {
		if i > 0 && n.ID <= top.Nodes[i-1].ID {
			t.Errorf("nodes are not in order: %v", top.Nodes)
		}
		parts = append(parts, part{n.CPUs, func(x numa.CPU) bool { return x.Node == n.ID }})
	}
	for _, p := range top.Packages {
		parts = append(parts, part{p.CPUs, func(x numa.CPU) bool { return x.Package == p.ID }})
	}
	for _, p := range parts {
		var want numa.CPUSet
		for _, c := range top.CPUs {
			if p.of(c) {
				want.Add(c.ID)
			}
		}
		if p.cpus != want {
			t.Errorf("a part lists CPUs %v and the CPUs of it are %v", p.cpus, want)
		}
	}
	var core, cluster, die int
	dense := func(what string, id int, next *int) {
		switch {
		case id == *next:
			*next++
		case id < -1 || id > *next:
			t.Errorf("%s %d appears before %d", what, id, *next)
		}
	}
	for i, c := range top.CPUs {
		if i > 0 && c.ID <= top.CPUs[i-1].ID {
			t.Errorf("CPUs are not in order at %d", c.ID)
		}
		dense("core", c.Core, &core)
		dense("cluster", c.Cluster, &cluster)
		dense("die", c.Die, &die)
	}
	if cluster != len(top.Clusters) {
		t.Errorf("%d clusters are listed, CPUs name %d", len(top.Clusters), cluster)
	}
}
