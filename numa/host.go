// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"fmt"
	"runtime"
	"sync"
)

// host reads this machine once.
var host = sync.OnceValues(readHost)

// Host returns the topology of this machine: every online CPU, with Allowed set
// on those this process may use. It is read at the first call and cached; CPUs
// that come, go or are taken from the process later are not seen. Every caller
// gets the same Topology and must not change it.
//
// Where the system does not say, and on systems other than Linux, it is one
// node with as many CPUs as the Go runtime counts, and Warnings says so.
func Host() (*Topology, error) { return host() }

// flat returns one node with n CPUs, for systems that say no more.
func flat(n int, why string) *Topology {
	all := cpuRange(0, n-1)
	t := &Topology{
		Nodes:    []Node{{ID: 0, CPUs: all}},
		Clusters: []Cluster{{ID: 0, CPUs: all}},
		Packages: []Package{{ID: 0, CPUs: all}},
		Warnings: []string{why},
	}
	for id := range n {
		t.CPUs = append(t.CPUs, CPU{ID: id, Core: id, Allowed: true})
	}
	return t
}

// flatHost is flat for this machine.
func flatHost(why string) *Topology {
	n := runtime.NumCPU()
	return flat(n, fmt.Sprintf("%s: taken as one node with %d CPUs", why, n))
}
