// SPDX-License-Identifier: BSD-3-Clause

package numa

import "slices"

// unknown is the number of a core, cluster, die, package or node that the tree
// does not name.
const unknown = -1

// agreed keeps, of the sets that the CPUs name as theirs, those that all their
// members name too: a CPU in a set others do not share gets the empty set. So
// what is left is a partition, whatever the tree said. Contradictions are
// warned of by the given text.
func (r *reader) agreed(text string, sets []CPUSet) []CPUSet {
	count := map[CPUSet]int{}
	for i, set := range sets {
		if set.Has(r.raw[i].id) {
			count[set]++
		}
	}
	out := make([]CPUSet, len(sets))
	for i, set := range sets {
		switch {
		case set.Empty():
		case set.Has(r.raw[i].id) && count[set] == set.Len():
			out[i] = set
		default:
			r.warnCPU(text, r.raw[i].id)
		}
	}
	return out
}

// dense numbers keys from 0 in the order they first appear; ok false is unknown.
func dense[K comparable](n int, key func(i int) (k K, ok bool)) []int {
	ids := make([]int, n)
	numbers := map[K]int{}
	for i := range n {
		k, ok := key(i)
		if !ok {
			ids[i] = unknown
			continue
		}
		id, have := numbers[k]
		if !have {
			id = len(numbers)
			numbers[k] = id
		}
		ids[i] = id
	}
	return ids
}

// place is what identifies a core or a die where the kernel gives ids only.
type place struct {
	set      CPUSet
	pkg, die int
	core     int
}

// numberCores numbers the cores by the sets of siblings, or by core id within
// a package where there are no sets.
func (r *reader) numberCores() {
	sets := make([]CPUSet, len(r.raw))
	for i := range r.raw {
		sets[i] = r.raw[i].coreSet
	}
	sets = r.agreed("the CPUs of a core contradict each other", sets)
	ids := dense(len(r.raw), func(i int) (place, bool) {
		c := &r.raw[i]
		if !sets[i].Empty() {
			return place{set: sets[i]}, true
		}
		// Core ids repeat in every package, so without one they say nothing.
		return place{pkg: c.pkg, die: c.die, core: c.core}, c.coreSet.Empty() && c.pkg >= 0 && c.core >= 0
	})
	for i, id := range ids {
		r.topo.CPUs[i].Core = id
		if id == unknown {
			r.warnCPU("the core is not known", r.raw[i].id)
		}
	}
}

// numberDies numbers the dies. That most machines do not name any is normal
// and no warning.
func (r *reader) numberDies() {
	sets := make([]CPUSet, len(r.raw))
	for i := range r.raw {
		sets[i] = r.raw[i].dieSet
	}
	sets = r.agreed("the CPUs of a die contradict each other", sets)
	ids := dense(len(r.raw), func(i int) (place, bool) {
		c := &r.raw[i]
		if !sets[i].Empty() {
			return place{set: sets[i]}, true
		}
		return place{pkg: c.pkg, die: c.die}, c.dieSet.Empty() && c.pkg >= 0 && c.die >= 0
	})
	for i, id := range ids {
		r.topo.CPUs[i].Die = id
	}
}

// groupPackages lists the packages the kernel names.
func (r *reader) groupPackages() {
	members := map[int][]int{}
	for i := range r.raw {
		if c := &r.raw[i]; c.pkg >= 0 {
			members[c.pkg] = append(members[c.pkg], c.id)
		} else {
			r.warnCPU("the package is not known", c.id)
		}
	}
	for id, cpus := range members {
		r.topo.Packages = append(r.topo.Packages, Package{ID: id, CPUs: CPUSetOf(cpus...)})
	}
	slices.SortFunc(r.topo.Packages, func(a, b Package) int { return a.ID - b.ID })
}
