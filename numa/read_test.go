// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/fakesys"
	"github.com/turnstile-go/turnstile/numa"
)

// samePartition checks that two numberings part the CPUs in the same way;
// -1 means unknown in both.
func samePartition(t *testing.T, what string, got, want []int) {
	t.Helper()
	to, from := map[int]int{-1: -1}, map[int]int{-1: -1}
	for i := range got {
		a, okA := to[got[i]]
		b, okB := from[want[i]]
		if !okA && !okB {
			to[got[i]], from[want[i]] = want[i], got[i]
			continue
		}
		if a != want[i] || b != got[i] || !okA || !okB {
			t.Errorf("%s: got %v, want the parts of %v", what, got, want)
			return
		}
	}
}

// checkMachine compares a topology with the answers of the description.
func checkMachine(t *testing.T, m *fakesys.Machine, top *numa.Topology) {
	t.Helper()
	checkInvariants(t, top)
	pus := slices.DeleteFunc(slices.Clone(m.PUs), func(p fakesys.PU) bool { return p.Offline })
	if len(top.CPUs) != len(pus) {
		t.Fatalf("%d CPUs, want %d", len(top.CPUs), len(pus))
	}
	column := func(f func(i int) int) []int {
		out := make([]int, len(pus))
		for i := range out {
			out[i] = f(i)
		}
		return out
	}
	compare := func(what string, same bool, got, want func(i int) int) {
		t.Helper()
		if g, w := column(got), column(want); !same {
			samePartition(t, what, g, w)
		} else if !slices.Equal(g, w) {
			t.Errorf("%s: got %v, want %v", what, g, w)
		}
	}
	oneNode := m.Flags["nonodes"] || m.Flags["overlap"] && len(m.Nodes) > 1
	compare("CPU", true, func(i int) int { return top.CPUs[i].ID }, func(i int) int { return pus[i].CPU })
	compare("core", false, func(i int) int { return top.CPUs[i].Core }, func(i int) int { return pus[i].Core })
	compare("cluster", false, func(i int) int { return top.CPUs[i].Cluster }, func(i int) int { return wantCluster(m, pus[i]) })
	compare("die", false, func(i int) int { return top.CPUs[i].Die }, func(i int) int {
		if m.Flags["nodies"] || m.Flags["masks"] {
			return -1
		}
		return pus[i].Die
	})
	compare("package", true, func(i int) int { return top.CPUs[i].Package }, func(i int) int {
		if m.Flags["nopackids"] {
			return -1
		}
		return m.Packs[pus[i].Pack]
	})
	compare("node", true, func(i int) int { return top.CPUs[i].Node }, func(i int) int {
		if oneNode {
			return 0
		}
		return m.Nodes[pus[i].Node]
	})
	if !oneNode {
		checkNodes(t, m, top)
	}
}

// wantCluster is the part that stands for a cluster on m.
func wantCluster(m *fakesys.Machine, p fakesys.PU) int {
	switch {
	case m.Flags["nocaches"] || !m.Named("l3") && !sharedL2(m):
		if m.Flags["nodies"] || m.Flags["masks"] {
			return p.Pack
		}
		return p.Die
	case m.Named("l3"):
		return p.L3
	}
	return p.L2
}

// sharedL2 reports whether online cores of m share an L2.
func sharedL2(m *fakesys.Machine) bool {
	core := map[int]int{}
	for _, p := range m.PUs {
		if c, ok := core[p.L2]; ok && c != p.Core && !p.Offline {
			return true
		}
		if !p.Offline {
			core[p.L2] = p.Core
		}
	}
	return false
}

// checkNodes compares memory and distances.
func checkNodes(t *testing.T, m *fakesys.Machine, top *numa.Topology) {
	t.Helper()
	if len(top.Nodes) != len(m.Nodes) {
		t.Fatalf("%d nodes, want %d", len(top.Nodes), len(m.Nodes))
	}
	for i, from := range m.Nodes {
		at := slices.IndexFunc(top.Nodes, func(n numa.Node) bool { return n.ID == from })
		if at < 0 {
			t.Fatalf("node %d is missing", from)
		}
		if got := top.Nodes[at].MemoryBytes; (got == 0) != slices.Contains(m.Memless, i) {
			t.Errorf("node %d has %d bytes", from, got)
		}
		for j, to := range m.Nodes {
			want := m.Dist[i][j]
			if i == j && m.Flags["local0"] || m.Flags["olddist"] {
				want = 0
			}
			if got := top.Distance(from, to); got != want {
				t.Errorf("distance %d to %d is %d, want %d", from, to, got, want)
			}
		}
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		spec string
		note string // must be in a warning; "" is none at all
	}{
		{"core:1", "no shared cache"},
		{"pack:1 l3:1 core:4 pu:2", ""},
		{"pack:2 numa:2 l3:2 core:4 pu:2", ""},
		{"pack:2 numa:2 l3:2 core:4 pu:2 order:cores", ""},
		{"pack:2 die:2 numa:1 l3:2 core:2", ""},
		{"pack:2 l3:1 numa:2 core:4", ""},                      // a cache over two nodes
		{"numa:2 pack:2 l3:1 core:2", ""},                      // nodes larger than packages
		{"pack:2 l2:2 core:4", ""},                             // no L3, shared L2
		{"pack:2 core:4", "no shared cache is named"},          // private caches
		{"pack:2 l3:1 core:4 offline:0-3", ""},                 // a package offline
		{"pack:2 numa:1 l3:1 core:2 pu:2 offline:0,3,5-6", ""}, // halves of cores offline
		{"pack:2 numa:2 l3:1 core:2 nodeids:0,8,33,250 packids:36,8442", ""},
		{"numa:3 l3:1 core:2 nodeids:7,3,5 dist:10,21,31;22,10,32;23,33,10", ""},
		{"numa:2 l3:1 core:2 cpuless:2 memless:1", ""},
		{"numa:2 l3:1 core:2 cpuless:1 nodeids:4,0,2", ""},
		{"pack:2 numa:2 l3:2 core:2 pu:2 masks", ""},
		{"pack:2 l3:1 core:2 masks nonodes", "names no memory nodes"},
		{"pack:2 numa:1 l3:1 core:2 nonodes", "names no memory nodes"},
		{"pack:2 numa:1 core:2 nocaches", "no shared cache is named"},
		{"pack:2 die:2 core:2 nocaches nodies", "no shared cache is named"},
		{"pack:2 numa:1 l3:1 core:2 pu:2 nopackids", "package is not known: CPUs 0-7"},
		{"numa:2 l3:1 core:2 local0", "0 as the distance to itself"},
		{"pack:2 numa:2 l3:1 core:2 overlap", "all 4 nodes list the same CPUs 0-7"},
		{"numa:2 l3:1 core:2 nodeids:0,3 olddist", "lists 4 distances for 2 online nodes"},
		{"pack:2 die:2 l3:1 core:2 pu:2 nosets", ""},
		{"pack:2 l3:1 core:2 pu:2 nosets nodies", ""},
	} {
		t.Run(c.spec, func(t *testing.T) {
			m := fakesys.MustParse(c.spec)
			top, err := numa.Read(m.FS())
			if err != nil {
				t.Fatal(err)
			}
			checkMachine(t, m, top)
			notes := strings.Join(top.Warnings, "\n")
			if c.note == "" && notes != "" || !strings.Contains(notes, c.note) {
				t.Errorf("warnings are %q, want %q", notes, c.note)
			}
			if top.Allowed() != top.Online() || top.Quota != 0 {
				t.Errorf("limits where none are told: %v, %v", top.Allowed(), top.Quota)
			}
		})
	}
}

// TestReadRandom compares random machines with their descriptions.
func TestReadRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	for range rounds {
		spec := randomSpec(rng)
		m := fakesys.MustParse(spec)
		top, err := numa.Read(m.FS())
		if err != nil {
			t.Fatal(spec, err)
		}
		checkMachine(t, m, top)
		if t.Failed() {
			t.Fatalf("machine %s\n%v", spec, top)
		}
	}
}

// randomSpec makes a machine of at most some hundred CPUs.
func randomSpec(rng *rand.Rand) string {
	var words []string
	total := 1
	levels := []string{"pack", "die", "numa", "l3"}
	if rng.IntN(2) == 0 {
		levels = []string{"numa", "pack", "l3", "l2"}
	}
	for _, l := range append(levels, "core", "pu") {
		if n := 1 + rng.IntN(3); l == "core" || rng.IntN(3) > 0 {
			words = append(words, fmt.Sprintf("%s:%d", l, n))
			total *= n
		}
	}
	for _, flag := range []string{"order:cores", "masks", "nodies", "nonodes", "nocaches", "local0", "overlap"} {
		if rng.IntN(5) == 0 {
			words = append(words, flag)
		}
	}
	var off []string
	for c := 1; c < total; c++ { // CPU 0 stays, so that one is online
		if rng.IntN(6) == 0 {
			off = append(off, fmt.Sprint(c))
		}
	}
	if len(off) > 0 {
		words = append(words, "offline:"+strings.Join(off, ","))
	}
	return strings.Join(words, " ")
}

func TestReadBigMachines(t *testing.T) {
	for spec, want := range map[string]string{
		"pack:8 numa:4 l3:4 core:8 pu:2 order:cores": "2048 CPUs, 1024 cores, 128 clusters, 32 nodes, 8 packages",
		"pack:4 numa:5 l3:5 core:50":                 "5000 CPUs, 5000 cores, 100 clusters, 20 nodes, 4 packages",
	} {
		m := fakesys.MustParse(spec)
		top, err := numa.Read(m.FS())
		if err != nil {
			t.Fatal(err)
		}
		checkMachine(t, m, top)
		if head, _, _ := strings.Cut(top.String(), "\n"); head != want || len(top.Warnings) > 0 {
			t.Errorf("%s: %s, want %s; warnings %q", spec, head, want, top.Warnings)
		}
	}
}

func TestReadNothing(t *testing.T) {
	for name, f := range map[string]fs.FS{"empty": &fakesys.FS{}, "no CPUs": func() fs.FS {
		f := fakesys.MustParse("core:2").FS()
		f.Remove("sys/devices/system/cpu")
		return f
	}()} {
		if top, err := numa.Read(f); !errors.Is(err, numa.ErrNoCPUs) || top != nil {
			t.Errorf("%s: got %v, %v", name, top, err)
		}
	}
}
