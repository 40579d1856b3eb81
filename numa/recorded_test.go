// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/fakesys"
	"github.com/turnstile-go/turnstile/numa"
)

// recorded says, for each recorded machine, the first line of the picture, what
// the process may use where that is less, and why lscpu answers differently in
// a column, where it does. The recordings are those of the hwloc project.
var recorded = map[string]struct {
	head, allowed string
	warnings      []string          // in each of them one of these
	lscpu         map[string]string // column: why it differs
}{
	"128arm-2pa2n8cluster4co": {head: "128 CPUs, 128 cores, 4 clusters, 4 nodes, 2 packages"},
	"16amd64-8n2c": {
		head:     "16 CPUs, 16 cores, 8 clusters, 8 nodes, 8 packages",
		warnings: []string{"no shared cache is named"}, // private L2, no L3
	},
	"16amd64-8n2c-cpusets": {
		head:     "15 CPUs, 15 cores, 8 clusters, 8 nodes, 8 packages",
		allowed:  "0-3,5-6,12-15",
		warnings: []string{"no shared cache is named"},
	},
	"16em64t-4s2c2t":          {head: "16 CPUs, 8 cores, 4 clusters, 1 node, 4 packages"},
	"16em64t-4s2c2t-offlines": {head: "12 CPUs, 7 cores, 4 clusters, 1 node, 4 packages"},
	"20s390-2g6s4c": {
		head: "20 CPUs, 20 cores, 8 clusters, 1 node, 0 packages",
		warnings: []string{"no memory nodes", "the package is not known: CPUs 0-19",
			"no shared cache is named, the cluster is their die, package or node: CPUs 0-19"},
		lscpu: map[string]string{
			"socket": "the kernel's package id is -1 everywhere; lscpu counts the sets of siblings, which are clusters here",
			"node":   "there is no node directory: lscpu prints nothing, Read makes one node",
		},
	},
	"256ppc-8n8s4t": {
		head:     "256 CPUs, 64 cores, 64 clusters, 8 nodes, 0 packages",
		warnings: []string{"the package is not known: CPUs 0-255"},
		lscpu: map[string]string{
			"socket": "the kernel's package id is -1 everywhere; lscpu counts the sets of siblings, each of which is one core",
		},
	},
	"2i386-2t-hugepagesizecount": {
		head:     "2 CPUs, 1 core, 1 cluster, 1 node, 1 package",
		warnings: []string{"no memory nodes", "no shared cache is named"},
		lscpu:    map[string]string{"node": "there is no node directory: lscpu prints nothing, Read makes one node"},
	},
	"32amd64-4s2n4c-cgroup2": {head: "32 CPUs, 32 cores, 8 clusters, 8 nodes, 4 packages", allowed: "0-5"},
	"48amd64-4pa2n6c-sparse": {head: "48 CPUs, 48 cores, 8 clusters, 8 nodes, 4 packages"},
	"4fake-4gr1nu1pu": {
		head:    "4 CPUs, 4 cores, 1 cluster, 4 nodes, 1 package",
		allowed: "0-1",
		warnings: []string{"distances of node 0", "distances of node 1", "distances of node 2", "distances of node 3",
			"the core is not known: CPUs 0-3", "no shared cache is named"},
		lscpu: map[string]string{
			"cpu":    "lscpu prints empty rows for a tree that lists no sibling threads",
			"socket": "the same",
			"node":   "the same",
		},
	},
	"64amd64-4s2n4ca2co": {head: "64 CPUs, 32 cores, 8 clusters, 8 nodes, 4 packages"},
	"8em64t-2s2ca2c-buggynuma": {
		head:     "8 CPUs, 8 cores, 4 clusters, 1 node, 2 packages",
		warnings: []string{"all 8 nodes list the same CPUs 0-7: taken as one node"},
	},
	"8ia64-2s2c2t": {
		head:     "8 CPUs, 4 cores, 2 clusters, 1 node, 2 packages",
		warnings: []string{"0 as the distance to itself", "no shared cache is named"}, // the L3 lists no CPU
	},
	"fakeheteromemtiers": {head: "6 CPUs, 6 cores, 1 cluster, 7 nodes, 1 package"},
	"memorysidecaches":   {head: "80 CPUs, 40 cores, 2 clusters, 4 nodes, 2 packages"},
	"nvidia-dgx-gb10": {
		head:  "20 CPUs, 20 cores, 2 clusters, 1 node, 1 package",
		lscpu: map[string]string{"core": "lscpu numbers cores from 0 again in each run of CPUs of one kind; the kernel lists no siblings"},
	},
	"offline-cpu0-node0": {
		head:     "17 CPUs, 17 cores, 2 clusters, 1 node, 2 packages",
		warnings: []string{"2 distances for 1 online nodes", "the node is not known: CPUs 4,6,8,10,12,14,16,18,20"},
	},
}

// recordings returns the archives by name, from the directory that holds them.
func recordings(t *testing.T) map[string]string {
	t.Helper()
	dir := os.Getenv("TURNSTILE_TOPOLOGIES")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "topologies")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.tar.bz2"))
	if len(files) == 0 {
		t.Skipf("NOT TESTED: numa.Read on the %d recorded machines, because %s holds no *.tar.bz2. "+
			"Set the environment variable TURNSTILE_TOPOLOGIES to the absolute path of the directory that holds "+
			"hwloc's recordings: %s.tar.bz2 and so on", len(recorded), dir, slices.Min(slices.Collect(maps.Keys(recorded))))
	}
	all := map[string]string{}
	for _, f := range files {
		all[strings.TrimSuffix(filepath.Base(f), ".tar.bz2")] = f
	}
	return all
}

// unpack reads an archive into memory, without the directory all is in.
func unpack(t *testing.T, file string) *fakesys.FS {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tree := &fakesys.FS{}
	for r := tar.NewReader(bzip2.NewReader(f)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return tree
		}
		if err != nil {
			t.Fatal(file, err)
		}
		_, name, ok := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		if !ok || h.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(file, err)
		}
		tree.Set(name, string(content))
	}
}

func TestRecordedMachines(t *testing.T) {
	files := recordings(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, ok := recorded[name]
			if !ok {
				t.Fatal("nothing is recorded here about this machine")
			}
			tree := unpack(t, files[name])
			top, err := numa.Read(tree)
			if err != nil {
				t.Fatal(err)
			}
			checkInvariants(t, top)
			if head, _, _ := strings.Cut(top.String(), "\n"); head != want.head {
				t.Errorf("got %q, want %q", head, want.head)
			}
			allowed := top.Allowed().String()
			if allowed == top.Online().String() {
				allowed = ""
			}
			if allowed != want.allowed || top.Quota != 0 {
				t.Errorf("allowed %q, quota %v, want %q, 0", allowed, top.Quota, want.allowed)
			}
			sameWarnings(t, top.Warnings, want.warnings)
			compareLscpu(t, top, tree, want.lscpu)
		})
	}
}

// sameWarnings checks that there are as many warnings as wanted and that each
// wanted text is in one of them.
func sameWarnings(t *testing.T, got, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, w) }) {
			t.Errorf("no warning has %q", w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d warnings, want %d: %q", len(got), len(want), got)
	}
}

// compareLscpu compares CPU, core, socket and node with what lscpu says of the
// same tree. A column that is listed with a reason must differ.
func compareLscpu(t *testing.T, top *numa.Topology, tree *fakesys.FS, differs map[string]string) {
	t.Helper()
	lscpu, err := exec.LookPath("lscpu")
	if err != nil {
		t.Skip("lscpu is not installed: not compared with it")
	}
	rows := runLscpu(t, lscpu, tree, top)
	if len(rows) != len(top.CPUs) {
		t.Fatalf("lscpu sees %d CPUs, Read %d", len(rows), len(top.CPUs))
	}
	columns := map[string]func(c numa.CPU) int{
		"core":   func(c numa.CPU) int { return c.Core },
		"socket": func(c numa.CPU) int { return c.Package },
		"node":   func(c numa.CPU) int { return c.Node },
	}
	for k, name := range []string{"cpu", "core", "socket", "node"} {
		var got, want []int
		for i, c := range top.CPUs {
			want = append(want, rows[i][k])
			if name == "cpu" {
				got = append(got, c.ID)
			} else {
				got = append(got, columns[name](c))
			}
		}
		same := equalParts(got, want)
		if name == "cpu" {
			same = slices.Equal(got, want)
		}
		if _, listed := differs[name]; listed == same {
			t.Errorf("%s: listed as different: %v; got %v, lscpu %v", name, listed, got, want)
		}
	}
}

// equalParts reports whether two numberings part the CPUs in the same way, with
// -1 for the same CPUs.
func equalParts(a, b []int) bool {
	to, from := map[int]int{-1: -1}, map[int]int{-1: -1}
	for i := range a {
		x, okX := to[a[i]]
		y, okY := from[b[i]]
		if okX != okY || okX && (x != b[i] || y != a[i]) {
			return false
		}
		to[a[i]], from[b[i]] = b[i], a[i]
	}
	return true
}

// runLscpu writes the part of the tree that lscpu reads to a directory and
// returns its rows of CPU, core, socket and node; -1 is none given.
func runLscpu(t *testing.T, lscpu string, tree *fakesys.FS, top *numa.Topology) [][4]int {
	t.Helper()
	// Kernels before 2.6.26 have no lists, without which lscpu gives up.
	for _, name := range []string{"possible", "present", "online"} {
		if path := "sys/devices/system/cpu/" + name; exists(tree, path) {
			continue
		} else if ids := top.Online(); name == "online" {
			tree.Set(path, ids.String()+"\n")
		} else {
			tree.Set(path, fmt.Sprintf("0-%d\n", ids.List()[ids.Len()-1]))
		}
	}
	if !exists(tree, "proc/cpuinfo") { // which it also insists on
		var info strings.Builder
		for id := range top.Online().All() {
			fmt.Fprintf(&info, "processor\t: %d\n\n", id)
		}
		tree.Set("proc/cpuinfo", info.String())
	}
	root := t.TempDir()
	for _, name := range tree.Files() {
		if !lscpuReads.MatchString(name) {
			continue
		}
		content, err := fs.ReadFile(tree, name)
		path := filepath.Join(root, name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, content, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(lscpu, "--sysroot", root, "-p=CPU,CORE,SOCKET,NODE")
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("lscpu: %v: %s", err, out)
	}
	return parseRows(t, out)
}

// lscpuReads matches the files that matter to its columns.
var lscpuReads = regexp.MustCompile(`^(proc/cpuinfo|sys/devices/system/cpu/(possible|present|online|kernel_max|cpu\d+/(online|topology/.*))|sys/devices/system/node/.*/cpu.*)$`)

func exists(f fs.FS, name string) bool {
	_, err := fs.Stat(f, name)
	return err == nil
}

// parseRows reads lscpu's lines; those with # are comments.
func parseRows(t *testing.T, out []byte) (rows [][4]int) {
	t.Helper()
	for line := range bytes.Lines(out) {
		if line[0] == '#' {
			continue
		}
		row := [4]int{-1, -1, -1, -1}
		for i, f := range strings.Split(strings.TrimSpace(string(line)), ",") {
			if n, err := strconv.Atoi(f); err == nil && i < len(row) {
				row[i] = n
			}
		}
		rows = append(rows, row)
	}
	return rows
}
