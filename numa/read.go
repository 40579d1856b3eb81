// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"errors"
	"fmt"
	"io/fs"
)

const (
	cpuDir  = "sys/devices/system/cpu"
	nodeDir = "sys/devices/system/node"
)

// ErrNoCPUs is the error of Read for a tree that names no CPU at all.
var ErrNoCPUs = errors.New("numa: the tree names no online CPU")

// Read reads the topology of a Linux machine from the root directory that
// holds its sys/ and, where present, its proc/: os.DirFS("/"), or a recorded
// machine. What the tree does not say is unknown in the result, what it
// contradicts is dropped, and Warnings says so; only a tree without any CPU is
// an error.
//
// Allowed and Quota are those of the process whose proc/self the tree holds;
// without one every CPU is allowed.
func Read(fsys fs.FS) (*Topology, error) { return read(fsys, nil) }

// read is Read with the affinity of the process, where the caller knows better
// than the tree's proc/self/status.
func read(fsys fs.FS, affinity *CPUSet) (*Topology, error) {
	r := reader{tree: tree{fsys: fsys}}
	r.readOnline()
	if r.online.Empty() {
		return nil, fmt.Errorf("%w (nothing in %s)", ErrNoCPUs, cpuDir)
	}
	r.raw = make([]rawCPU, 0, r.online.Len())
	for id := range r.online.All() {
		if r.dirs.Has(id) {
			r.raw = append(r.raw, r.readCPU(id))
		} else { // nothing to look for, file by file
			r.raw = append(r.raw, rawCPU{id: id, pkg: unknown, die: unknown, core: unknown})
		}
	}
	r.topo.CPUs = make([]CPU, len(r.raw))
	for i := range r.raw {
		r.topo.CPUs[i] = CPU{ID: r.raw[i].id, Package: r.raw[i].pkg, Node: -1}
	}
	r.numberCores()
	r.numberDies()
	r.groupPackages()
	r.readNodes()
	r.groupClusters()
	r.readLimits(affinity)
	r.topo.Warnings = r.allWarnings()
	return &r.topo, nil
}

// A reader is one call of Read.
type reader struct {
	tree
	online CPUSet
	dirs   CPUSet   // CPUs that have a directory
	raw    []rawCPU // by id
	topo   Topology

	nodesNamed bool // the tree names memory nodes
}

// rawCPU is what the tree says about one CPU; -1 and empty sets are unknown.
type rawCPU struct {
	id, pkg, die, core int // the kernel's ids
	coreSet            CPUSet
	dieSet, pkgSet     CPUSet
	cache              cache
}

// readOnline finds the online CPUs, by the list or on old kernels by the
// directories.
func (r *reader) readOnline() {
	r.dirs = CPUSetOf(r.numbered(cpuDir, "cpu")...)
	set, ok := r.list(cpuDir + "/online")
	if !ok || set.Empty() {
		r.online = r.onlineDirs()
		return
	}
	r.online = set
	missing := set.AndNot(r.dirs)
	switch {
	case missing.Empty():
	case missing == set:
		r.warn("CPUs %v are listed as online and none has a directory: nothing more is told of them", missing)
	default:
		r.warn("CPUs %v are listed as online and have no directory: left out", missing)
		r.online = set.And(r.dirs)
	}
}

// onlineDirs returns the online CPUs where no list names them. An offline CPU
// says so, or has no topology while others do.
func (r *reader) onlineDirs() CPUSet {
	var described []int
	for id := range r.dirs.All() {
		if _, err := fs.Stat(r.fsys, fmt.Sprintf("%s/cpu%d/topology", cpuDir, id)); err == nil {
			described = append(described, id)
		}
	}
	online := r.dirs
	if len(described) > 0 {
		online = CPUSetOf(described...)
	}
	var off []int
	for id := range online.All() {
		if on, ok := r.number(fmt.Sprintf("%s/cpu%d/online", cpuDir, id)); ok && on == 0 {
			off = append(off, id)
		}
	}
	online.Remove(off...)
	return online
}

// readCPU reads what the kernel says about one CPU.
func (r *reader) readCPU(id int) rawCPU {
	dir := fmt.Sprintf("%s/cpu%d", cpuDir, id)
	c := rawCPU{
		id:   id,
		pkg:  r.id(dir + "/topology/physical_package_id"),
		die:  r.id(dir + "/topology/die_id"),
		core: r.id(dir + "/topology/core_id"),
	}
	topology := dir + "/topology/"
	c.coreSet = r.siblings(topology, "core_cpus", "thread_siblings")
	// Where an architecture has no dies, some kernels give them the id -1 and
	// list each CPU as one of its own: then the set means nothing.
	if c.die >= 0 {
		c.dieSet = r.siblings(topology, "die_cpus")
	}
	if c.pkg < 0 { // with an id, the id says it all
		c.pkgSet = r.siblings(topology, "package_cpus", "core_siblings")
	}
	c.cache = r.readCache(dir + "/cache")
	return c
}

// siblings returns the first of the named CPU sets, each a list "name_list" and
// a mask "name", cut to the online CPUs. The second names are those of kernels
// before 5.3.
func (r *reader) siblings(dir string, names ...string) CPUSet {
	for _, name := range names {
		if set, ok := r.cpus(dir+name+"_list", dir+name); ok {
			return set.And(r.online)
		}
	}
	return CPUSet{}
}

// id reads an id; anything missing or negative is -1.
func (r *reader) id(path string) int {
	n, ok := r.number(path)
	if !ok || n < 0 {
		return unknown
	}
	return n
}
