// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"runtime"

	"github.com/turnstile-go/turnstile/numa"
)

// UsableCPUs returns how many CPUs the goroutines of this process can run on at
// a time: GOMAXPROCS, or the CPUs it is allowed where those are fewer, or a CPU
// quota rounded up where that is less still.
func UsableCPUs() int {
	t, err := numa.Host()
	if err != nil {
		return min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	}
	return usableOn(t, runtime.GOMAXPROCS(0), runtime.NumCPU())
}

// usableOn is UsableCPUs for a topology. The runtime's count stands for an
// affinity that the topology may not know.
func usableOn(t *numa.Topology, procs, cpus int) int {
	return max(1, min(procs, cpus, t.Usable()))
}
