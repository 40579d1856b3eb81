// SPDX-License-Identifier: BSD-3-Clause

package numa

import "slices"

// unknown is the number of a core, cluster, die, package or node that the tree
// does not name.
const unknown = -1

// A claim is a set of CPUs that one of them names as its core, cache, die or
// package. Of two claims on a CPU the higher level counts.
type claim struct {
	set   CPUSet
	level int
}

// agreed turns claims, one for each CPU, into a partition. A CPU believes its
// own claim, unless another CPU claims it at a higher level; one that makes no
// claim believes any other. A set stands when all its members believe in it.
// The other CPUs get the empty set and are warned of by the given text.
func (r *reader) agreed(text string, claims []claim) []CPUSet {
	at := make(map[int]int, len(r.raw))
	believed := make([]claim, len(claims))
	clash := make([]bool, len(claims)) // two sets to believe, or a claim without itself
	for i, c := range claims {
		at[r.raw[i].id] = i
		believed[i] = c
		if c.set.Empty() {
			believed[i].level = -1
		} else {
			clash[i] = !c.set.Has(r.raw[i].id)
		}
	}
	seen := map[claim]bool{}
	for i, c := range claims {
		if seen[c] || c.set.Empty() || !c.set.Has(r.raw[i].id) {
			continue
		}
		seen[c] = true
		for id := range c.set.All() {
			switch m := at[id]; {
			case c.level > believed[m].level:
				believed[m], clash[m] = c, false
			case c.level == believed[m].level && c != believed[m] && believed[m] != claims[m]:
				clash[m] = true
			}
		}
	}
	return r.whole(text, believed, clash, at)
}

// whole keeps the sets that all their members believe in.
func (r *reader) whole(text string, believed []claim, clash []bool, at map[int]int) []CPUSet {
	whole := map[claim]bool{}
	for _, c := range believed {
		if _, known := whole[c]; known || c.set.Empty() {
			continue
		}
		whole[c] = true
		for id := range c.set.All() {
			if m := at[id]; clash[m] || believed[m] != c {
				whole[c] = false
				break
			}
		}
	}
	sets := make([]CPUSet, len(believed))
	for i, c := range believed {
		if whole[c] && !clash[i] {
			sets[i] = c.set
		} else if !c.set.Empty() {
			r.warnCPU(text, r.raw[i].id)
		}
	}
	return sets
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
	claims := make([]claim, len(r.raw))
	for i := range r.raw {
		claims[i].set = r.raw[i].coreSet
	}
	sets := r.agreed("the CPUs of a core contradict each other", claims)
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
	claims := make([]claim, len(r.raw))
	for i := range r.raw {
		claims[i].set = r.raw[i].dieSet
	}
	sets := r.agreed("the CPUs of a die contradict each other", claims)
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
