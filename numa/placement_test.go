// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/fakesys"
	"github.com/turnstile-go/turnstile/numa"
)

func TestPlacementString(t *testing.T) {
	var zero numa.Placement
	if zero != numa.Unpinned {
		t.Error("the zero Placement is not Unpinned")
	}
	bad := regexp.MustCompile(`\s|-[0-9]+$`) // what a benchmark name cannot hold
	for p, want := range map[numa.Placement]string{
		numa.Unpinned:                        "unpinned",
		numa.Compact:                         "compact",
		numa.Scatter:                         "scatter",
		numa.OnNode(1):                       "node(1)",
		numa.OnCluster(12):                   "cluster(12)",
		numa.OnCPUs(numa.CPUSetOf(0, 1, 8)):  "cpus(0-1,8)",
		numa.OnCPUs(numa.CPUSetOf(3, 4, 15)): "cpus(3-4,15)",
	} {
		if got := p.String(); got != want || bad.MatchString(got) {
			t.Errorf("got %q, want %q", got, want)
		}
		if back, err := numa.ParsePlacement(want); err != nil || back != p {
			t.Errorf("%s is read back as %v, %v", want, back, err)
		}
	}
	for _, bad := range []string{"", "Compact", "node", "node()", "node(-1)", "node(1", "cluster(x)", "cpus(3-1)", "compact()", "cpu(1)"} {
		if p, err := numa.ParsePlacement(bad); err == nil {
			t.Errorf("%q is read as %v", bad, p)
		}
	}
}

func TestPlacementCPUs(t *testing.T) {
	for _, c := range []struct {
		spec string
		p    numa.Placement
		want string // CPUs in order, or words of the error
	}{
		{"pack:2 l3:2 core:2", numa.Unpinned, "[]"},
		{"pack:2 l3:1 core:2 pu:2", numa.Compact, "[0 1 2 3 4 5 6 7]"},
		{"pack:2 l3:1 core:2 pu:2 order:cores", numa.Compact, "[0 4 1 5 2 6 3 7]"},
		{"pack:2 l3:1 core:2 pu:2", numa.Scatter, "[0 4 2 6 1 5 3 7]"},
		{"pack:2 l3:1 core:2 pu:2 order:cores", numa.Scatter, "[0 2 1 3 4 6 5 7]"},
		{"pack:2 numa:2 l3:2 core:2", numa.Scatter, "[0 8 4 12 2 10 6 14 1 9 5 13 3 11 7 15]"},
		{"numa:2 pack:2 l3:1 core:2", numa.Scatter, "[0 4 2 6 1 5 3 7]"}, // nodes are the larger ones
		{"pack:2 l3:1 core:3 offline:1-2", numa.Scatter, "[0 3 4 5]"},    // uneven
		{"pack:2 l3:1 core:2 affinity:1,3", numa.Scatter, "[1 3]"},
		{"pack:2 l3:1 core:2 affinity:1,3", numa.Compact, "[1 3]"},
		{"core:3 nocaches nopackids nosets nonodes", numa.Compact, "[0 1 2]"}, // nothing is known
		{"core:3 nocaches nopackids nosets nonodes", numa.Scatter, "[0 1 2]"},
		{"pack:2 l3:1 core:2 pu:2", numa.OnNode(0), "[0 2 4 6 1 3 5 7]"},
		{"numa:2 l3:1 core:2 pu:2 nodeids:0,8", numa.OnNode(8), "[4 6 5 7]"},
		{"numa:2 l3:1 core:2 pu:2 nodeids:0,8", numa.OnNode(1), "node(1): there is no such node"},
		{"numa:2 l3:1 core:2 cpuless:1", numa.OnNode(2), "node(2): the node has no CPUs"},
		{"pack:2 l3:2 core:2 pu:2", numa.OnCluster(3), "[12 14 13 15]"},
		{"pack:2 l3:2 core:2", numa.OnCluster(4), "cluster(4): there is no such cluster"},
		{"pack:2 l3:2 core:2", numa.OnCluster(-1), "there is no such cluster"},
		{"pack:2 l3:2 core:2 affinity:0-3", numa.OnCluster(3), "may use none of CPUs 6-7"},
		{"pack:2 l3:2 core:2", numa.OnCPUs(numa.CPUSetOf(5, 1)), "[1 5]"},
		{"pack:2 l3:2 core:2 offline:5", numa.OnCPUs(numa.CPUSetOf(5, 1, 9)), "CPUs 5,9 are not online"},
		{"pack:2 l3:2 core:2 affinity:0-4", numa.OnCPUs(numa.CPUSetOf(5, 1)), "this process may not use CPUs 5"},
		{"pack:2 l3:2 core:2", numa.OnCPUs(numa.CPUSet{}), "the list is empty"},
	} {
		top, err := numa.Read(fakesys.MustParse(c.spec).FS())
		if err != nil {
			t.Fatal(err)
		}
		cpus, err := c.p.CPUs(top)
		got := fmt.Sprint(cpus)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%s, %v: got %s, want %s", c.spec, c.p, got, c.want)
		}
	}
}
