// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Placement says on which CPUs workers run. Each worker gets one CPU, of those
// the process is allowed to use; when there are more workers than CPUs the order
// starts again. The zero value is Unpinned. Placements can be compared with ==.
type Placement struct {
	kind placeKind
	arg  int    // the node or cluster
	set  CPUSet // of OnCPUs
}

type placeKind uint8

const (
	placeUnpinned placeKind = iota
	placeCompact
	placeScatter
	placeNode
	placeCluster
	placeCPUs
)

var (
	// Unpinned leaves workers to the Go scheduler and the kernel.
	Unpinned = Placement{kind: placeUnpinned}
	// Compact fills a core, then its cluster, node and package, before the next.
	Compact = Placement{kind: placeCompact}
	// Scatter spreads workers over packages, nodes, clusters and cores first.
	Scatter = Placement{kind: placeScatter}
)

// OnNode keeps workers on the CPUs of one memory node, by the kernel's id: one a
// core first, then on the cores' other threads.
func OnNode(node int) Placement { return Placement{kind: placeNode, arg: node} }

// OnCluster keeps workers on the CPUs of one last-level cache, by the index in
// Topology.Clusters, in the order of OnNode.
func OnCluster(cluster int) Placement { return Placement{kind: placeCluster, arg: cluster} }

// OnCPUs keeps workers on the given CPUs, in ascending order.
func OnCPUs(set CPUSet) Placement { return Placement{kind: placeCPUs, set: set} }

// String returns "unpinned", "compact", "scatter", "node(1)", "cluster(2)" or
// "cpus(0-3,8)". It has no space and never ends in a hyphen and digits, so it
// can stand in a benchmark name.
func (p Placement) String() string {
	switch p.kind {
	case placeUnpinned:
		return "unpinned"
	case placeCompact:
		return "compact"
	case placeScatter:
		return "scatter"
	case placeNode:
		return fmt.Sprintf("node(%d)", p.arg)
	case placeCluster:
		return fmt.Sprintf("cluster(%d)", p.arg)
	default:
		return "cpus(" + p.set.String() + ")"
	}
}

// ParsePlacement reads what String writes.
func ParsePlacement(s string) (Placement, error) {
	for _, p := range []Placement{Unpinned, Compact, Scatter} {
		if s == p.String() {
			return p, nil
		}
	}
	kind, arg, ok := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	if ok && strings.HasSuffix(s, ")") {
		n, err := strconv.Atoi(arg)
		switch {
		case kind == "cpus":
			set, err := ParseCPUSet(arg)
			return OnCPUs(set), err
		case kind == "node" && err == nil && n >= 0:
			return OnNode(n), nil
		case kind == "cluster" && err == nil && n >= 0:
			return OnCluster(n), nil
		}
	}
	return Placement{}, fmt.Errorf("numa: placement %s is none of unpinned, compact, scatter, node(N), cluster(N), cpus(LIST)", clip(s))
}

// CPUs returns the CPUs of a placement on t in the order in which workers get
// them. It is nil for Unpinned, and an error, with the reason, when the machine
// or the process does not have what the placement names.
func (p Placement) CPUs(t *Topology) ([]int, error) {
	if p.kind == placeUnpinned {
		return nil, nil
	}
	named, err := p.named(t)
	if err != nil {
		return nil, fmt.Errorf("numa: placement %v: %w", p, err)
	}
	var cpus []*CPU
	for _, c := range t.all() {
		if c.Allowed && named.Has(c.ID) {
			cpus = append(cpus, c)
		}
	}
	if len(cpus) == 0 {
		return nil, fmt.Errorf("numa: placement %v: this process may use none of CPUs %v", p, named)
	}
	switch p.kind {
	case placeCompact:
		cpus = compact(cpus, t.levels())
	case placeScatter:
		cpus = scatter(cpus, t.levels())
	case placeNode, placeCluster:
		cpus = scatter(cpus, nil)
	}
	ids := make([]int, len(cpus))
	for i, c := range cpus {
		ids[i] = c.ID
	}
	return ids, nil
}

// named returns the CPUs a placement names.
func (p Placement) named(t *Topology) (CPUSet, error) {
	switch p.kind {
	case placeNode:
		i := t.nodeIndex(p.arg)
		if i < 0 {
			return CPUSet{}, fmt.Errorf("there is no such node")
		}
		if t.Nodes[i].CPUs.Empty() {
			return CPUSet{}, fmt.Errorf("the node has no CPUs")
		}
		return t.Nodes[i].CPUs, nil
	case placeCluster:
		i := slices.IndexFunc(t.Clusters, func(c Cluster) bool { return c.ID == p.arg })
		if i < 0 {
			return CPUSet{}, fmt.Errorf("there is no such cluster")
		}
		return t.Clusters[i].CPUs, nil
	case placeCPUs:
		if p.set.Empty() {
			return CPUSet{}, fmt.Errorf("the list is empty")
		}
		if lost := p.set.AndNot(t.Online()); !lost.Empty() {
			return CPUSet{}, fmt.Errorf("CPUs %v are not online", lost)
		}
		if lost := p.set.AndNot(t.Allowed()); !lost.Empty() {
			return CPUSet{}, fmt.Errorf("this process may not use CPUs %v", lost)
		}
		return p.set, nil
	}
	return t.Online(), nil
}
