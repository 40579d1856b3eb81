// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"fmt"
	"strconv"
	"strings"
)

// readNodes reads the memory nodes, their CPUs, memory and distances.
func (r *reader) readNodes() {
	dirs := CPUSetOf(r.numbered(nodeDir, "node")...)
	online, listed := r.list(nodeDir + "/online")
	if !listed || online.Empty() {
		online = dirs
	}
	if missing := online.AndNot(dirs); !missing.Empty() && !dirs.Empty() {
		r.warn("nodes %v are listed as online and have no directory: left out", missing)
	}
	for id := range online.And(dirs).All() {
		r.topo.Nodes = append(r.topo.Nodes, r.readNode(id))
	}
	if len(r.topo.Nodes) == 0 {
		r.oneNode("the tree names no memory nodes: taken as one node")
		r.assignNodes()
		return
	}
	if r.nodesNamed = r.separate(); r.nodesNamed {
		r.readDistances(online)
	}
	r.assignNodes()
}

// readNode reads one node. Its CPU list may name CPUs that are offline.
func (r *reader) readNode(id int) Node {
	dir := fmt.Sprintf("%s/node%d", nodeDir, id)
	set, ok := r.cpus(dir+"/cpulist", dir+"/cpumap")
	if !ok {
		r.warn("node %d does not say which CPUs it has", id)
	}
	info, _ := r.text(dir + "/meminfo")
	return Node{ID: id, CPUs: set.And(r.online), MemoryBytes: memTotal(info)}
}

// memTotal finds "MemTotal: 123 kB" in a meminfo file; 0 when it is not there.
func memTotal(s string) uint64 {
	_, rest, ok := strings.Cut(s, "MemTotal:")
	if !ok {
		return 0
	}
	line, _, _ := strings.Cut(rest, "\n")
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return 0
	}
	kb, err := strconv.ParseUint(fields[0], 10, 50)
	if err != nil {
		return 0
	}
	return kb << 10
}

// oneNode puts everything into node 0.
func (r *reader) oneNode(why string) {
	r.warn("%s", why)
	info, _ := r.text("proc/meminfo")
	r.topo.Nodes = []Node{{ID: 0, CPUs: r.online, MemoryBytes: memTotal(info)}}
}

// separate makes the nodes' CPU sets disjoint. Some firmware lists every CPU
// in every node: then all of them are one node, which is what can be said.
// A CPU that several nodes claim otherwise belongs to none. It reports whether
// the nodes are still those the tree names.
func (r *reader) separate() bool {
	var seen, contested CPUSet
	same := true
	for _, n := range r.topo.Nodes {
		contested = contested.Or(seen.And(n.CPUs))
		seen = seen.Or(n.CPUs)
		same = same && n.CPUs == r.topo.Nodes[0].CPUs
	}
	if contested.Empty() {
		return true
	}
	if same {
		r.oneNode(fmt.Sprintf("all %d nodes list the same CPUs %v: taken as one node", len(r.topo.Nodes), contested))
		return false
	}
	r.warn("several nodes list CPUs %v: their node is taken as not known", contested)
	for i := range r.topo.Nodes {
		r.topo.Nodes[i].CPUs = r.topo.Nodes[i].CPUs.AndNot(contested)
	}
	return true
}

// assignNodes writes each CPU's node.
func (r *reader) assignNodes() {
	of := make(map[int]int, len(r.topo.CPUs))
	for _, n := range r.topo.Nodes {
		for c := range n.CPUs.All() {
			of[c] = n.ID
		}
	}
	for i := range r.topo.CPUs {
		c := &r.topo.CPUs[i]
		id, ok := of[c.ID]
		if !ok {
			r.warnCPU("the node is not known", c.ID)
			id = unknown
		}
		c.Node = id
	}
}

// readDistances reads the table of distances. A row has a column for each
// online node in ascending order, not one for each id up to the highest; a row
// of another length cannot be told apart and is unknown.
func (r *reader) readDistances(online CPUSet) {
	columns := online.List()
	table := make([][]int, len(r.topo.Nodes))
	known := false
	for i, n := range r.topo.Nodes {
		table[i] = make([]int, len(r.topo.Nodes))
		row, ok := r.readRow(n.ID, len(columns))
		if !ok {
			continue
		}
		known = true
		for j, to := range columns {
			if at := r.topo.nodeIndex(to); at >= 0 {
				table[i][at] = row[j]
			}
		}
		if table[i][i] == 0 {
			r.warn("node %d lists 0 as the distance to itself: taken as not known", n.ID)
		}
	}
	if known {
		r.topo.Distances = table
	}
}

// readRow reads one node's distances and reports whether they are usable.
func (r *reader) readRow(node, columns int) ([]int, bool) {
	s, ok := r.text(fmt.Sprintf("%s/node%d/distance", nodeDir, node))
	if !ok {
		r.warn("the distances of node %d are not known", node)
		return nil, false
	}
	row, err := parseDistances(s)
	if err != nil {
		r.warn("the distances of node %d are not readable: %v", node, err)
		return nil, false
	}
	if len(row) != columns {
		r.warn("node %d lists %d distances for %d online nodes: taken as not known", node, len(row), columns)
		return nil, false
	}
	return row, true
}

// parseDistances reads a row of distances. ACPI gives a distance one byte, and
// 255 means that the node cannot be reached.
func parseDistances(s string) ([]int, error) {
	var row []int
	for f := range strings.FieldsSeq(s) {
		d, err := strconv.ParseUint(f, 10, 31)
		if err != nil {
			return nil, fmt.Errorf("%s is not a distance", clip(f))
		}
		row = append(row, int(d))
	}
	return row, nil
}
