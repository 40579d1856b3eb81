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
		set, ok := r.cpus(at+"/shared_cpu_list", at+"/shared_cpu_map")
		if !ok {
			continue
		}
		size, _ := r.text(at + "/size")
		last = cache{level, parseSize(size), set.And(r.online)}
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

// domain is what makes up one cluster: a cache, or in its place a die, a
// package or a node.
type domain struct {
	set            CPUSet
	die, pkg, node int
}

// groupClusters makes the clusters. A CPU's cluster is its last-level cache. A
// machine whose last-level caches are all below level 3 and each confined to
// one core has no domain there to schedule by: the level above exists and is
// not told, as on many Arm servers, or does not exist. There, and where a CPU's
// caches are not named, the cluster is what the kernel names of die, package
// and node, in this order; but not where other CPUs of that part do have a
// cache as their cluster, for then nothing says which CPUs go with which.
func (r *reader) groupClusters() {
	claims := make([]claim, len(r.raw))
	for i := range r.raw {
		claims[i] = claim{r.raw[i].cache.set, r.raw[i].cache.level}
	}
	sets := r.agreed("the CPUs of a last-level cache contradict each other", claims)
	if r.allPrivate(sets) {
		clear(sets)
	}
	instead := r.insteadOfCaches()
	cached := map[domain]bool{} // parts with a cache
	for i := range r.raw {
		cached[instead[i]] = cached[instead[i]] || !sets[i].Empty()
	}
	ids := dense(len(r.raw), func(i int) (domain, bool) {
		if !sets[i].Empty() {
			return domain{set: sets[i]}, true
		}
		return instead[i], !cached[instead[i]] && instead[i] != nowhere
	})
	r.fillClusters(ids, sets)
}

// allPrivate reports whether every last-level cache is below level 3 and not
// shared between cores.
func (r *reader) allPrivate(sets []CPUSet) bool {
	for i := range r.raw {
		if r.raw[i].cache.level >= 3 || sets[i] != sets[i].And(r.raw[i].coreSet) {
			return false
		}
	}
	return true
}

// nowhere is the domain of a CPU whose die, package and node are not known.
var nowhere = domain{die: unknown, pkg: unknown, node: unknown}

// insteadOfCaches returns for each CPU the part that stands in for a cache.
func (r *reader) insteadOfCaches() []domain {
	// Sets of siblings without an id are packages on s390. Elsewhere each is
	// one core only, which is what a kernel lists that knows of no packages.
	claims, real := make([]claim, len(r.raw)), false
	for i := range r.raw {
		set := r.raw[i].pkgSet
		claims[i].set = set
		real = real || set != set.And(r.raw[i].coreSet)
	}
	if !real {
		clear(claims)
	}
	pkgs := r.agreed("the CPUs of a package contradict each other", claims)
	all := make([]domain, len(r.raw))
	for i := range all {
		c, d := &r.topo.CPUs[i], nowhere
		switch {
		case c.Die >= 0:
			d.die = c.Die
		case c.Package >= 0:
			d.pkg = c.Package
		case !pkgs[i].Empty():
			d.set = pkgs[i]
		case r.nodesNamed:
			d.node = c.Node
		}
		all[i] = d
	}
	return all
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
			r.topo.Clusters = append(r.topo.Clusters, Cluster{ID: id})
		}
		if !sets[i].Empty() && sets[i] == c.cache.set { // not only put there by others
			cl := &r.topo.Clusters[id]
			cl.Level, cl.Bytes = c.cache.level, c.cache.bytes
		}
		members[id] = append(members[id], c.id)
		if sets[i].Empty() {
			r.warnCPU("no shared cache is named, the cluster is their die, package or node", c.id)
		}
	}
	for id, cpus := range members {
		r.topo.Clusters[id].CPUs = CPUSetOf(cpus...)
	}
}
