// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"cmp"
	"slices"
)

// A level is one way to part the CPUs of a machine.
type level struct {
	kind  string // package, node, die or cluster
	key   func(*CPU) int
	sizes map[int]int // how many CPUs each part has
}

// levels returns the levels that say something, those with the fewest parts
// first: which of packages, nodes, dies and clusters are the larger ones
// differs between machines. Dies that are the same as packages are left out.
func (t *Topology) levels() []level {
	all := []level{
		{kind: "package", key: func(c *CPU) int { return c.Package }},
		{kind: "node", key: func(c *CPU) int { return c.Node }},
		{kind: "die", key: func(c *CPU) int { return c.Die }},
		{kind: "cluster", key: func(c *CPU) int { return c.Cluster }},
	}
	kept := all[:0]
	for _, l := range all {
		l.sizes = map[int]int{}
		for i := range t.CPUs {
			l.sizes[l.key(&t.CPUs[i])]++
		}
		_, nameless := l.sizes[unknown]
		if len(l.sizes) == 1 && nameless || l.kind == "die" && len(l.sizes) == len(t.Packages) {
			continue
		}
		kept = append(kept, l)
	}
	slices.SortStableFunc(kept, func(a, b level) int { return cmp.Compare(len(a.sizes), len(b.sizes)) })
	return kept
}

// all returns every CPU, by number.
func (t *Topology) all() []*CPU {
	cpus := make([]*CPU, len(t.CPUs))
	for i := range cpus {
		cpus[i] = &t.CPUs[i]
	}
	return cpus
}

// coreKey is a CPU's core; one whose core is not known is a core of its own,
// with a key that no core has.
func coreKey(c *CPU) int {
	if c.Core == unknown {
		return -2 - c.ID
	}
	return c.Core
}

// split parts cpus by key, in the order in which keys first appear.
func split(cpus []*CPU, key func(*CPU) int) [][]*CPU {
	ids := dense(len(cpus), func(i int) (int, bool) { return key(cpus[i]), true })
	var parts [][]*CPU
	for i, id := range ids {
		if id == len(parts) {
			parts = append(parts, nil)
		}
		parts[id] = append(parts[id], cpus[i])
	}
	return parts
}

// compact orders cpus so that those next to each other share as much as can be.
func compact(cpus []*CPU, levels []level) []*CPU {
	key := coreKey
	if len(levels) > 0 {
		key = levels[0].key
	}
	var out []*CPU
	for _, part := range split(cpus, key) {
		if len(levels) > 0 {
			part = compact(part, levels[1:])
		}
		out = append(out, part...)
	}
	return out
}

// scatter orders cpus so that those next to each other share as little as can
// be: it deals them out from all parts of the first level in turn.
func scatter(cpus []*CPU, levels []level) []*CPU {
	key := coreKey
	if len(levels) > 0 {
		key = levels[0].key
	}
	parts := split(cpus, key)
	if len(levels) > 0 {
		for i := range parts {
			parts[i] = scatter(parts[i], levels[1:])
		}
	}
	out := make([]*CPU, 0, len(cpus))
	for round := 0; len(out) < len(cpus); round++ {
		for _, part := range parts {
			if round < len(part) {
				out = append(out, part[round])
			}
		}
	}
	return out
}
