// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"sync"
	"sync/atomic"
	"time"
)

// CurrentStaleness is how old an answer of Current can be where it is cached.
const CurrentStaleness = 100 * time.Microsecond

// A way is how Current finds out where it runs. The first three read a register
// or a segment limit in which Linux keeps node<<12 | cpu for each CPU.
type way uint32

const (
	wayUndecided way = iota
	wayRDPID
	wayLSL
	wayRDTSCP
	wayGetcpu // the system call, cached for CurrentStaleness
	wayNone   // this system does not say
)

var wayNames = [...]string{"undecided", "rdpid", "lsl", "rdtscp", "getcpu", "none"}

func (w way) String() string { return wayNames[w] }

// chosen is the way in use, decided at the first call of Current. It goes from
// wayUndecided to one other value and never changes again.
var chosen atomic.Uint32

// decide decides once.
var decide = sync.OnceFunc(func() {
	w := choose(candidates(), readAux)
	if w == wayGetcpu {
		prepareCache()
	}
	chosen.Store(uint32(w))
})

// auxCPUBits is how many low bits of the aux value are the CPU: on a machine
// with more CPUs the value says nothing.
const auxCPUBits = 12

// Current returns the CPU that the caller runs on and that CPU's memory node,
// by the kernel's numbers. It is a hint: the goroutine may be elsewhere by the
// time it is looked at. -1 is a CPU that the system does not tell; the node is
// then 0, that of Host on such systems.
//
// On amd64 it takes a few nanoseconds and is true at the moment of the call. The
// first call takes a fraction of a millisecond: it picks an instruction by
// cpuid and checks its answers on some CPUs against the getcpu system call.
// Where that fails, with more than 4096 CPUs, and on other architectures it is
// getcpu, remembered for each P for CurrentStaleness. It never allocates.
func Current() (cpu, node int) {
	w := way(chosen.Load())
	if w == wayRDPID { // alone and first: there is half a nanosecond in it
		return splitAux(rdpid())
	}
	if w == wayLSL || w == wayRDTSCP {
		return splitAux(readAux(w))
	}
	return currentSlow(w)
}

// splitAux parts node<<12 | cpu.
func splitAux(aux uint32) (cpu, node int) {
	return int(aux & (1<<auxCPUBits - 1)), int(aux >> auxCPUBits)
}

// currentSlow is Current where no instruction gives the answer, or where that
// has not been decided.
func currentSlow(w way) (cpu, node int) {
	switch w {
	case wayUndecided:
		decide()
		return Current()
	case wayGetcpu:
		return currentCached()
	}
	return -1, 0
}

// CurrentWay names how Current finds its answer on this machine: "rdpid",
// "lsl", "rdtscp", "getcpu" or "none".
func CurrentWay() string {
	decide()
	return way(chosen.Load()).String()
}

// choose returns the first of the ways that agrees with getcpu everywhere it is
// asked. read is readAux, or its stand-in in a test.
func choose(ways []way, read func(way) uint32) way {
	if _, _, ok := getcpu(); !ok {
		return wayNone
	}
	if cpus, ok := possibleCPUs(); ok && cpus > 1<<auxCPUBits {
		return wayGetcpu
	}
	for _, w := range ways {
		if agrees(w, read) {
			return w
		}
	}
	return wayGetcpu
}

// agrees compares a way with getcpu on this CPU and, pinned, on some others: a
// register that nobody set is the same on all and can be right on one of them.
func agrees(w way, read func(way) uint32) bool {
	if !agreesHere(w, read) {
		return false
	}
	others := make(chan bool)
	go func() { // of its own, because it is pinned
		ok := true
		for _, cpu := range sample() {
			if restore, err := Pin(CPUSetOf(cpu)); err == nil {
				ok = agreesHere(w, read) && ok
				if restore() != nil {
					break // still locked: the thread ends with this goroutine
				}
			}
		}
		others <- ok
	}()
	return <-others
}

// agreesHere compares a way with getcpu where the caller happens to run.
func agreesHere(w way, read func(way) uint32) bool {
	// Between two equal readings the thread was, almost surely, on one CPU.
	for range 100 {
		before := read(w)
		cpu, node, _ := getcpu()
		if read(w) == before {
			return before == uint32(node)<<auxCPUBits|uint32(cpu)
		}
	}
	return false
}
