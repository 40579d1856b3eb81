// SPDX-License-Identifier: BSD-3-Clause

package explore

import "hash/maphash"

// graph is what the breadth-first search leaves behind. States are numbered
// in the order of discovery (I1); the edges of state v are
// edges[first[v]:first[v+1]].
type graph[S, L comparable] struct {
	model  *Model[S, L]
	chunks [][]state[S, L] // of chunkLen states each: growing moves nothing
	parent []uint32        // of each state; the first is its own
	first  []uint32
	edges  []uint32
	movers []uint8 // beside edges: who moved

	seed  maphash.Seed
	hash  []uint32 // of each state
	slots []uint32 // open addressing; state number + 1
}

const (
	firstSlots = 1 << 12
	chunkBits  = 12
	chunkLen   = 1 << chunkBits
)

// len is the number of states.
func (g *graph[S, L]) len() int { return len(g.parent) }

// at returns state n.
func (g *graph[S, L]) at(n uint32) *state[S, L] {
	return &g.chunks[n>>chunkBits][n%chunkLen]
}

func newGraph[S, L comparable](m *Model[S, L]) *graph[S, L] {
	return &graph[S, L]{model: m, seed: maphash.MakeSeed(), slots: make([]uint32, firstSlots)}
}

// add returns the number of st and whether it is new.
func (g *graph[S, L]) add(st *state[S, L], parent uint32) (uint32, bool) {
	h := uint32(maphash.Comparable(g.seed, *st))
	mask := uint32(len(g.slots) - 1)
	i := h & mask
	for ; g.slots[i] != 0; i = (i + 1) & mask {
		n := g.slots[i] - 1
		if g.hash[n] == h && *g.at(n) == *st {
			return n, false
		}
	}
	n := uint32(g.len())
	g.slots[i] = n + 1
	if n%chunkLen == 0 {
		g.chunks = append(g.chunks, make([]state[S, L], chunkLen))
	}
	*g.at(n) = *st
	g.hash = append(g.hash, h)
	g.parent = append(g.parent, parent)
	if 2*g.len() > len(g.slots) {
		g.grow()
	}
	return n, true
}

func (g *graph[S, L]) grow() {
	g.slots = make([]uint32, 2*len(g.slots))
	mask := uint32(len(g.slots) - 1)
	for n, h := range g.hash {
		i := h & mask
		for g.slots[i] != 0 {
			i = (i + 1) & mask
		}
		g.slots[i] = uint32(n) + 1
	}
}

// fault is what the search or the fairness check found, at which state.
type fault struct {
	kind  Kind
	what  string
	state uint32
	loop  []uint32 // for a Livelock: the states of a loop through state
}

// search fills the graph. It stops at the first fault.
func (g *graph[S, L]) search(limit int) (depth, ends int, f *fault) {
	root := state[S, L]{shared: g.model.Shared}
	copy(root.local[:], g.model.Locals)
	g.add(&root, 0)
	if f = g.inspect(0); f != nil {
		return 0, 0, f
	}
	levelEnd := uint32(1)
	var x X[S, L]
	for v := uint32(0); int(v) < g.len(); v++ {
		if v == levelEnd {
			depth++
			levelEnd = uint32(g.len())
		}
		var moves bool
		if moves, f = g.expand(&x, v); f != nil {
			return depth, ends, f
		}
		if !moves {
			if f = g.terminal(v); f != nil {
				return depth, ends, f
			}
			ends++
		}
		if g.len() > limit {
			return depth, ends, &fault{kind: Limit, what: "more states than the limit", state: v}
		}
	}
	g.first = append(g.first, uint32(len(g.edges)))
	return depth, ends, nil
}

// expand adds the edges of state v and the states behind them. It reports
// whether one of the steps is bound to happen.
func (g *graph[S, L]) expand(x *X[S, L], v uint32) (moves bool, f *fault) {
	g.first = append(g.first, uint32(len(g.edges)))
	g.model.successors(x, g.at(v), func(string) {
		n, fresh := g.add(&x.next, v)
		g.edges = append(g.edges, n)
		g.movers = append(g.movers, x.by)
		moves = moves || x.by&optional == 0
		if fresh && f == nil {
			f = g.inspect(n)
		}
	})
	return moves, f
}

// inspect checks the invariant in state n.
func (g *graph[S, L]) inspect(n uint32) *fault {
	m, st := g.model, g.at(n)
	if m.Invariant == nil {
		return nil
	}
	if what := m.Invariant(st.shared, st.local[:len(m.Locals)]); what != "" {
		return &fault{kind: Broken, what: what, state: n}
	}
	return nil
}

// terminal checks state v, which has no steps but optional ones (I3).
func (g *graph[S, L]) terminal(v uint32) *fault {
	m, st := g.model, g.at(v)
	for i := range m.Locals {
		if !m.Done(st.local[i]) {
			return &fault{kind: Stuck, what: "no step is left and " + m.name(i) + " has not finished", state: v}
		}
	}
	if m.AtEnd == nil {
		return nil
	}
	if what := m.AtEnd(st.shared, st.local[:len(m.Locals)]); what != "" {
		return &fault{kind: BadEnd, what: what, state: v}
	}
	return nil
}
