// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// readHost reads the tree of this machine.
func readHost() (*Topology, error) {
	var affinity *CPUSet
	if set, err := processAffinity(); err == nil {
		affinity = &set
	}
	t, err := read(os.DirFS("/"), affinity)
	if errors.Is(err, ErrNoCPUs) {
		return flatHost("/sys does not name any CPU"), nil
	}
	return t, err
}

// processAffinity returns the CPUs that some thread of this process may run
// on. One thread's mask is not enough: the one that asks may be pinned.
func processAffinity() (CPUSet, error) {
	all, err := threadAffinity(0)
	if err != nil {
		return all, err
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return all, nil // no /proc: this thread's mask is what can be had
	}
	for _, task := range tasks {
		if tid, err := strconv.Atoi(task.Name()); err == nil {
			if set, err := threadAffinity(tid); err == nil { // else it has just ended
				all = all.Or(set)
			}
		}
	}
	return all, nil
}

// threadAffinity returns the mask of one thread, 0 being the caller's.
func threadAffinity(tid int) (CPUSet, error) {
	for size := 1024; ; size *= 2 {
		mask := unix.NewCPUSet(size)
		err := unix.SchedGetaffinityDynamic(tid, mask)
		// EINVAL says that the kernel's masks are longer than ours.
		if err == unix.EINVAL && size <= MaxCPU {
			continue
		}
		if err != nil {
			return CPUSet{}, err
		}
		var ids []int
		for cpu := range size {
			if mask.IsSet(cpu) {
				ids = append(ids, cpu)
			}
		}
		return CPUSetOf(ids...), nil
	}
}
