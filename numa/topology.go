// SPDX-License-Identifier: BSD-3-Clause

package numa

import "math"

// A Topology says how the CPUs and the memory of a machine hang together.
// It is a description, never written after it was made: share it freely and
// do not change it.
type Topology struct {
	CPUs     []CPU     // the online ones, by ID
	Clusters []Cluster // last-level cache domains, by their lowest CPU
	Nodes    []Node    // online memory nodes by ID; IDs may be sparse
	Packages []Package // by ID
	// Distances is the kernel's table of node distances, rows and columns in
	// the order of Nodes; 0 is unknown and nil is a table that is not known.
	// Distance looks it up by node IDs.
	Distances [][]int  `json:",omitempty"`
	Quota     float64  // CPUs by cgroup quota, 0 = none
	Warnings  []string // what the tree did not say or contradicted
}

// A CPU is one logical processor. Core, Cluster and Die are dense numbers from
// 0 over the whole machine, in order of the lowest CPU; Package and Node are
// the kernel's own ids. -1 is unknown.
type CPU struct {
	ID, Core, Cluster, Die, Package, Node int
	Allowed                               bool // this process may run here
}

// A Cluster is the set of CPUs that share a last-level cache. Where the machine
// names no cache shared between cores it is a die, or a package.
type Cluster struct {
	ID    int    // its index in Topology.Clusters
	CPUs  CPUSet // online ones
	Level int    // level of the cache; 0 when the cluster is a die or a package
	Bytes uint64 // size of the cache, 0 = unknown
}

// A Node is a memory node. It may have no CPUs, or no memory.
type Node struct {
	ID          int
	CPUs        CPUSet // online ones
	MemoryBytes uint64
}

// A Package is a socket.
type Package struct {
	ID   int    // the kernel's; -1 when it does not say
	CPUs CPUSet // online ones
}

// Distance returns the kernel's distance between two nodes, given by their
// ids: 10 is local, 20 is twice as far; 0 is unknown, also for ids that this
// machine does not have. It need not be symmetric.
func (t *Topology) Distance(from, to int) int {
	i, j := t.nodeIndex(from), t.nodeIndex(to)
	if i < 0 || j < 0 || i >= len(t.Distances) || j >= len(t.Distances[i]) {
		return 0
	}
	return t.Distances[i][j]
}

// nodeIndex returns the place of a node id in t.Nodes, or -1.
func (t *Topology) nodeIndex(id int) int {
	for i := range t.Nodes {
		if t.Nodes[i].ID == id {
			return i
		}
	}
	return -1
}

// CPU returns the CPU with the given number, and false when it is not online.
func (t *Topology) CPU(id int) (CPU, bool) {
	lo, hi := 0, len(t.CPUs)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.CPUs[mid].ID < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(t.CPUs) && t.CPUs[lo].ID == id {
		return t.CPUs[lo], true
	}
	return CPU{}, false
}

// Online returns all CPUs of the topology.
func (t *Topology) Online() CPUSet {
	return t.where(func(*CPU) bool { return true })
}

// Allowed returns the CPUs this process may run on.
func (t *Topology) Allowed() CPUSet {
	return t.where(func(c *CPU) bool { return c.Allowed })
}

// where returns the CPUs for which f is true.
func (t *Topology) where(f func(*CPU) bool) CPUSet {
	var ids []int
	for i := range t.CPUs {
		if f(&t.CPUs[i]) {
			ids = append(ids, t.CPUs[i].ID)
		}
	}
	return CPUSetOf(ids...)
}

// Usable returns how many CPUs' worth of time this process can use at once:
// the allowed CPUs, or the quota rounded up where that is less. At least 1.
func (t *Topology) Usable() int {
	n := t.Allowed().Len()
	if t.Quota > 0 && t.Quota < float64(n) {
		n = int(math.Ceil(t.Quota))
	}
	return max(n, 1)
}

// Cores returns how many cores have an online CPU. A CPU whose core is unknown
// counts as a core of its own.
func (t *Topology) Cores() int {
	n, seen := 0, -1
	for i := range t.CPUs {
		switch c := t.CPUs[i].Core; {
		case c < 0:
			n++
		case c > seen: // dense, in order of the lowest CPU: a new core is a new maximum
			n++
			seen = c
		}
	}
	return n
}

// SMT returns the most online CPUs that share one core; 1 means no SMT in use.
func (t *Topology) SMT() int {
	count := map[int]int{}
	most := 1
	for i := range t.CPUs {
		if c := t.CPUs[i].Core; c >= 0 {
			count[c]++
			most = max(most, count[c])
		}
	}
	return most
}
