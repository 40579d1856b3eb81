// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"regexp"
	"testing"

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
	}
}
