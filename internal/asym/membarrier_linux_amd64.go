// SPDX-License-Identifier: BSD-3-Clause

package asym

import "syscall"

// sysMembarrier is the number of membarrier(2) on amd64.
const sysMembarrier = 324

// membarrier makes the barrier itself a raw call: it takes microseconds, and giving up
// the P for it could cost a time slice. Everything else may take milliseconds and tells
// the scheduler.
func membarrier(cmd int) (value, errno int) {
	call := syscall.Syscall
	if cmd == cmdBarrier {
		call = syscall.RawSyscall
	}
	r, _, e := call(sysMembarrier, uintptr(cmd), 0, 0)
	return int(r), int(e)
}

func getenv(key string) string {
	v, _ := syscall.Getenv(key)
	return v
}
