// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"fmt"
	"strconv"
	"strings"
)

// cache is the last-level cache of a CPU; level 0 is none named.
type cache struct {
	level int
	bytes uint64
	set   CPUSet
}

// readCache finds the last-level data cache in a CPU's cache directory.
func (r *reader) readCache(dir string) cache {
	var last cache
	for _, i := range r.numbered(dir, "index") {
		at := fmt.Sprintf("%s/index%d", dir, i)
		level, ok := r.number(at + "/level")
		if !ok || level <= last.level {
			continue
		}
		if kind, ok := r.text(at + "/type"); ok && kind == "Instruction" {
			continue
		}
		set, ok := r.siblings(at, "shared_cpu")
		if !ok {
			continue
		}
		size, _ := r.text(at + "/size")
		last = cache{level, parseSize(size), set}
	}
	return last
}

// parseSize reads a cache size: "512K", "32M" or plain bytes; 0 is unknown.
func parseSize(s string) uint64 {
	unit := uint64(1)
	for suffix, u := range map[string]uint64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, unit = rest, u
			break
		}
	}
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return 0
	}
	return n * unit
}

// domain is what makes up one cluster: a cache, or a die or package in its place.
type domain struct {
	set      CPUSet
	die, pkg int
}

// groupClusters makes the clusters. A CPU's cluster is its last-level cache. A
// cache below level 3 that one core has to itself is no domain to schedule by
// (the level above exists and is not told, as on many Arm servers, or does not
// exist): there, and where no cache is named, it is the die or the package,
// provided no CPU of that package has a shared cache.
func (r *reader) groupClusters() {
	sets := make([]CPUSet, len(r.raw))
	for i := range r.raw {
		sets[i] = r.raw[i].cache.set
	}
	sets = r.agreed("the CPUs of a last-level cache contradict each other", sets)
	cached := map[int]bool{} // packages with a shared cache
	for i := range r.raw {
		if r.private(i, sets[i]) {
			sets[i] = CPUSet{}
		}
		cached[r.raw[i].pkg] = cached[r.raw[i].pkg] || !sets[i].Empty()
	}
	ids := dense(len(r.raw), func(i int) (domain, bool) {
		pkg := r.raw[i].pkg
		if !sets[i].Empty() {
			return domain{set: sets[i]}, true
		}
		return domain{die: r.topo.CPUs[i].Die, pkg: pkg}, !cached[pkg] && pkg >= 0
	})
	r.fillClusters(ids, sets)
}

// private reports whether CPU i's last-level cache is below level 3 and not
// shared between cores.
func (r *reader) private(i int, set CPUSet) bool {
	return r.raw[i].cache.level < 3 && set == set.And(r.raw[i].coreSet)
}

// fillClusters writes the clusters numbered by ids.
func (r *reader) fillClusters(ids []int, sets []CPUSet) {
	var members [][]int
	for i, id := range ids {
		c := &r.raw[i]
		r.topo.CPUs[i].Cluster = id
		if id == unknown {
			r.warnCPU("the last-level cache is not known", c.id)
			continue
		}
		if id == len(members) {
			members = append(members, nil)
			cl := Cluster{ID: id}
			if !sets[i].Empty() {
				cl.Level, cl.Bytes = c.cache.level, c.cache.bytes
			}
			r.topo.Clusters = append(r.topo.Clusters, cl)
		}
		members[id] = append(members[id], c.id)
	}
	for id, cpus := range members {
		r.topo.Clusters[id].CPUs = CPUSetOf(cpus...)
		if r.topo.Clusters[id].Level == 0 {
			r.warn("no shared cache is named for CPUs %v: their die or package is taken as the cluster", r.topo.Clusters[id].CPUs)
		}
	}
}
