// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/fakesys"
	"github.com/turnstile-go/turnstile/numa"
)

func TestPicture(t *testing.T) {
	for spec, want := range map[string]string{
		"pack:2 numa:1 l3:2 core:2 pu:2 cpuless:1 dist:10,21,30;21,10,31;30,31,10 affinity:0-3 cgroup:/a quota:2.5": `
16 CPUs, 8 cores, 4 clusters, 3 nodes, 2 packages
package 0
  node 0, 1024 MB
    cluster 0, L3 32 MB
      [0 1] [2 3]
    cluster 1, L3 32 MB
      [4 5] [6 7]
package 1
  node 1, 1024 MB
    cluster 2, L3 32 MB
      [8 9] [10 11]
    cluster 3, L3 32 MB
      [12 13] [14 15]
node 2, 1024 MB, no CPUs
distances
  from\to     0    1    2
  0          10   21   30
  1          21   10   31
  2          30   31   10
allowed: 0-3
quota: 2.5 CPUs
`,
		// Packages that lie across nodes, and a distance that is not known.
		"numa:2 l3:1 core:1 olddist nodeids:0,5": `
2 CPUs, 2 cores, 2 clusters, 2 nodes, 1 package
package 0
  node 0, 1024 MB
    cluster 0, L3 32 MB
      [0]
  node 5, 1024 MB
    cluster 1, L3 32 MB
      [1]
note: node 0 lists 6 distances for 2 online nodes: taken as not known
note: node 5 lists 6 distances for 2 online nodes: taken as not known
`,
		"core:3 nocaches nopackids nosets nonodes": `
3 CPUs, 3 cores, 0 clusters, 1 node, 0 packages
node 0, 1024 MB
  [0] [1] [2]
note: the tree names no memory nodes: taken as one node
note: the core is not known: CPUs 0-2
note: the package is not known: CPUs 0-2
note: the last-level cache is not known: CPUs 0-2
`,
		"pack:1 l3:1 core:40": `
40 CPUs, 40 cores, 1 cluster, 1 node, 1 package
package 0
  node 0, 1024 MB
    cluster 0, L3 32 MB
      [0] [1] [2] [3] [4] [5] [6] [7] [8] [9] [10] [11] [12] [13] [14] [15]
      [16] [17] [18] [19] [20] [21] [22] [23] [24] [25] [26] [27] [28] [29]
      [30] [31] [32] [33] [34] [35] [36] [37] [38] [39]
`,
	} {
		top, err := numa.Read(fakesys.MustParse(spec).FS())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := top.String(), strings.TrimPrefix(want, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", spec, got, want)
		}
	}
}

// TestPictureOfParts draws a part that does not lie within its parent.
func TestPictureOfParts(t *testing.T) {
	f := fakesys.MustParse("pack:2 l3:1 core:2").FS()
	for cpu, list := range map[string]string{"cpu0": "0", "cpu1": "1-2", "cpu2": "1-2", "cpu3": "3"} {
		f.Set(cpuDir+cpu+"/cache/index3/shared_cpu_list", list)
	}
	top, err := numa.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(top.String(), "part of cluster 1"); got != 2 {
		t.Errorf("a cluster over two packages is drawn as part %d times:\n%v", got, top)
	}
}

func TestTopologyJSON(t *testing.T) {
	top, err := numa.Read(fakesys.MustParse("numa:2 l3:1 core:2").FS())
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(top)
	if err != nil {
		t.Fatal(err)
	}
	var back numa.Topology
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(*top, back) {
		t.Errorf("%v: read back differs: %s", err, b)
	}
	for _, part := range []string{`"CPUs":[{"ID":0,`, `"Allowed":true`, `"Nodes":[{"ID":0,"CPUs":"0-1","MemoryBytes":1073741824}`, `"Distances":[[10,12],[12,10]]`} {
		if !strings.Contains(string(b), part) {
			t.Errorf("%s is not in %s", part, b)
		}
	}
}
