// SPDX-License-Identifier: BSD-3-Clause

package explore

// fairLoop looks for an endless weakly fair run (I3, I4). The sets of states are
// the strongly connected components of the graph.
func (g *graph[S, L]) fairLoop() *fault {
	comp, count := g.components()
	type summary struct {
		always uint8 // movers enabled in every state of the set
		moved  uint8 // movers of edges inside the set
		inner  bool  // it has such edges: a run can stay
	}
	sets := make([]summary, count)
	for i := range sets {
		sets[i].always = 1<<(2*MaxActors) - 1 // optional steps are owed to nobody
	}
	for v := range g.len() {
		c := comp[v]
		var enabled uint8
		for e := g.first[v]; e < g.first[v+1]; e++ {
			bit := uint8(1) << (g.movers[e] % optional)
			if g.movers[e]&optional != 0 {
				bit = 0
			}
			enabled |= bit
			if comp[g.edges[e]] == c {
				sets[c].moved |= bit
				sets[c].inner = true
			}
		}
		sets[c].always &= enabled
	}
	for v := range g.len() {
		// The first hit is the shallowest, by I1.
		if s := sets[comp[v]]; s.inner && s.always&^s.moved == 0 {
			return &fault{
				kind: Livelock, what: "the actors can go round for ever, though each gets its turn",
				state: uint32(v), loop: g.loop(uint32(v), comp),
			}
		}
	}
	return nil
}

// components numbers the strongly connected components: Tarjan's algorithm
// with a stack of its own, since the graph is far deeper than a goroutine
// stack would like.
func (g *graph[S, L]) components() (comp []uint32, count int) {
	n := g.len()
	comp = make([]uint32, n) // 0 = not yet known, else number + 1
	low := make([]uint32, n) // 0 = not seen, else the lowest order reached
	order := make([]uint32, n)
	cursor := make([]uint32, n)
	var path, open []uint32
	var clock uint32
	enter := func(v uint32) {
		clock++
		order[v], low[v], cursor[v] = clock, clock, g.first[v]
		path, open = append(path, v), append(open, v)
	}
	for root := range uint32(n) {
		if order[root] != 0 {
			continue
		}
		for enter(root); len(path) > 0; {
			v := path[len(path)-1]
			if cursor[v] < g.first[v+1] {
				w := g.edges[cursor[v]]
				cursor[v]++
				if order[w] == 0 {
					enter(w)
				} else if comp[w] == 0 {
					low[v] = min(low[v], order[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				u := path[len(path)-1]
				low[u] = min(low[u], low[v])
			}
			if low[v] == order[v] {
				count++
				for closed := false; !closed; {
					w := open[len(open)-1]
					open = open[:len(open)-1]
					comp[w], closed = uint32(count), w == v
				}
			}
		}
	}
	for i := range comp {
		comp[i]--
	}
	return comp, count
}

// loop returns a shortest loop through v inside v's component, without the
// closing v.
func (g *graph[S, L]) loop(v uint32, comp []uint32) []uint32 {
	from := map[uint32]uint32{}
	queue := []uint32{v}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for e := g.first[u]; e < g.first[u+1]; e++ {
			w := g.edges[e]
			if w == v {
				back := []uint32{u}
				for ; u != v; u = from[u] {
					back = append(back, from[u])
				}
				return reverse(back)
			}
			if _, seen := from[w]; !seen && comp[w] == comp[v] {
				from[w] = u
				queue = append(queue, w)
			}
		}
	}
	return []uint32{v}
}

func reverse(s []uint32) []uint32 {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	return s
}
