// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// getcpu asks the kernel where the calling thread runs.
func getcpu() (cpu, node int, ok bool) {
	var c, n uint32
	_, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&c)), uintptr(unsafe.Pointer(&n)), 0)
	return int(c), int(n), errno == 0
}

// possibleCPUs returns the highest CPU number the kernel can have, plus one.
func possibleCPUs() (int, bool) {
	t := tree{fsys: os.DirFS("/")}
	set, ok := t.list(cpuDir + "/possible")
	return set.last() + 1, ok
}

// sample returns some CPUs of this thread's mask: the first, the last and one
// between.
func sample() []int {
	set, err := threadAffinity(0)
	if err != nil || set.Empty() {
		return nil
	}
	list := set.List()
	return []int{list[0], list[len(list)/2], list[len(list)-1]}
}
