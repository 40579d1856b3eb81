// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"math/rand/v2"
	"testing"
)

// Components against mutual reachability, on random graphs of nine nodes.
func TestComponents(t *testing.T) {
	const n = 9
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		g := &graph[int8, int8]{parent: make([]uint32, n)}
		var reach [n][n]bool
		for v := range n {
			reach[v][v] = true
			g.first = append(g.first, uint32(len(g.edges)))
			for range rng.IntN(3) {
				w := rng.IntN(n)
				reach[v][w] = true
				g.edges = append(g.edges, uint32(w))
			}
		}
		g.first = append(g.first, uint32(len(g.edges)))
		for k := range n {
			for v := range n {
				for w := range n {
					reach[v][w] = reach[v][w] || reach[v][k] && reach[k][w]
				}
			}
		}
		comp, _ := g.components()
		for v := range n {
			for w := range n {
				if both := reach[v][w] && reach[w][v]; both != (comp[v] == comp[w]) {
					t.Fatalf("edges %v %v: nodes %d and %d, one component: %v, want %v", g.first, g.edges, v, w, !both, both)
				}
			}
		}
	}
}
