// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/numa"
)

// guests says what the machines of tools/guest look like from inside. The sizes
// of their nodes depend on the kernel and are left out. Run with
//
//	export TURNSTILE_GUEST_MACHINE=numa
//	go test -exec "guest -machine $TURNSTILE_GUEST_MACHINE -kernel vmlinuz" ./numa
//
// It shows that a real kernel's files and CPU numbers are understood, and
// nothing about what remote memory costs.
var guests = map[string]string{
	"numa": `
8 CPUs, 4 cores, 2 clusters, 2 nodes, 2 packages
package 0
  node 0, memory
    cluster 0, L3
      [0 1] [2 3]
package 1
  node 1, memory
    cluster 1, L3
      [4 5] [6 7]
distances
  from\to     0    1
  0          10   21
  1          21   10
`,
	"odd": `
4 CPUs, 4 cores, 2 clusters, 3 nodes, 2 packages
package 0
  node 0, memory
    cluster 0, L3
      [0] [1]
package 1
  node 1
    cluster 1, L3
      [2] [3]
node 2, memory, no CPUs
distances
  from\to     0    1    2
  0          10   12   30
  1          12   10   40
  2          30   40   10
`,
}

func TestGuestMachine(t *testing.T) {
	name := os.Getenv("TURNSTILE_GUEST_MACHINE")
	if name == "" {
		t.Skip("not in a guest of tools/guest: TURNSTILE_GUEST_MACHINE is not set")
	}
	want, ok := guests[name]
	if !ok {
		t.Fatalf("nothing is said here about guest %q", name)
	}
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`, \d+ MB`).ReplaceAllString(h.String(), ", memory")
	got = regexp.MustCompile(`L3 \d+ MB`).ReplaceAllString(got, "L3")
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", h, want)
	}
	if len(numa.Ways()) > 0 && numa.CurrentWay() == "getcpu" {
		t.Error("no instruction that tells the CPU agrees with getcpu")
	}
}
