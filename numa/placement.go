// SPDX-License-Identifier: BSD-3-Clause

package numa

import "fmt"

// A Placement says on which CPUs workers run. The zero value is Unpinned.
// Placements can be compared with ==.
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

// OnNode keeps workers on the CPUs of one memory node, by the kernel's id.
func OnNode(node int) Placement { return Placement{kind: placeNode, arg: node} }

// OnCluster keeps workers on the CPUs of one last-level cache, by the index in
// Topology.Clusters.
func OnCluster(cluster int) Placement { return Placement{kind: placeCluster, arg: cluster} }

// OnCPUs keeps workers on the given CPUs, one worker a CPU in ascending order,
// and from the start again when there are more workers.
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
