// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/numa"
)

// ways returns the ways of this machine, getcpu last.
func ways(t testing.TB) []numa.Way {
	if _, _, ok := numa.Getcpu(); !ok {
		t.Skipf("%s does not tell the current CPU", runtime.GOOS)
	}
	var list []numa.Way
	for _, w := range numa.Ways() {
		if numa.Choose([]numa.Way{w}, numa.ReadAux) == w {
			list = append(list, w)
		}
	}
	return append(list, numa.WayGetcpu)
}

// TestCurrentOnEachCPU pins to each CPU and compares with it.
func TestCurrentOnEachCPU(t *testing.T) {
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ways(t) {
		undo := numa.UseWay(w)
		for _, cpu := range h.Allowed().List() {
			restore, err := numa.Pin(numa.CPUSetOf(cpu))
			if err != nil {
				t.Fatal(err)
			}
			if w == numa.WayGetcpu {
				time.Sleep(2 * numa.CurrentStaleness) // until the cached answer is too old
			}
			at, node := numa.Current()
			c, _ := h.CPU(cpu)
			if at != cpu || node != c.Node {
				t.Errorf("%v: pinned to CPU %d on node %d, Current says %d, %d", w, cpu, c.Node, at, node)
			}
			if err := restore(); err != nil {
				t.Fatal(err)
			}
		}
		undo()
	}
}

// TestCurrentInRange asks from many goroutines that move about. An
// answer must be a CPU of the machine with its own node.
func TestCurrentInRange(t *testing.T) {
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ways(t) {
		undo := numa.UseWay(w)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 2000 {
					cpu, node := numa.Current()
					if c, ok := h.CPU(cpu); !ok || c.Node != node {
						t.Errorf("%v: Current says CPU %d, node %d", w, cpu, node)
						return
					}
					runtime.Gosched()
				}
			})
		}
		all.Wait()
		undo()
	}
}

// TestChooseRefuses gives answers that are not those of getcpu.
func TestChooseRefuses(t *testing.T) {
	ways(t)
	cpu, node, _ := numa.Getcpu()
	here := uint32(node<<12 | cpu)
	bad := map[string]func(numa.Way) uint32{
		"no answer": func(numa.Way) uint32 { return 1<<32 - 1 },
		"garbage":   func(numa.Way) uint32 { return here + 1<<20 + 168 },
		"the node is wrong": func(numa.Way) uint32 {
			cpu, node, _ := numa.Getcpu()
			return uint32((node+1)<<12 | cpu)
		},
	}
	if h, _ := numa.Host(); h.Allowed().Len() > 1 {
		bad["right on one CPU"] = func(numa.Way) uint32 { return here }
	}
	for name, read := range bad {
		if w := numa.Choose([]numa.Way{numa.WayRDPID}, read); w != numa.WayGetcpu {
			t.Errorf("%s: %v is chosen", name, w)
		}
	}
	good := func(numa.Way) uint32 {
		cpu, node, _ := numa.Getcpu()
		return uint32(node<<12 | cpu)
	}
	if w := numa.Choose([]numa.Way{numa.WayRDPID}, good); w != numa.WayRDPID {
		t.Errorf("the right answers: %v is chosen", w)
	}
}

func TestCurrentDoesNotAllocate(t *testing.T) {
	for _, w := range ways(t) {
		undo := numa.UseWay(w)
		if n := testing.AllocsPerRun(1000, func() { numa.Current() }); n != 0 {
			t.Errorf("%v: %v allocations a call", w, n)
		}
		undo()
	}
	if n := testing.AllocsPerRun(1000, func() { numa.Getcpu() }); n != 0 {
		t.Errorf("getcpu without the cache: %v allocations a call", n)
	}
}

// TestCurrentCacheAges counts what the cache saves: answers within the
// staleness do not ask the kernel, later ones do. The CPU moves in between.
func TestCurrentCacheAges(t *testing.T) {
	list := ways(t)
	h, _ := numa.Host()
	if h.Allowed().Len() < 2 {
		t.Skip("this process may use one CPU only: an old answer looks like a new one")
	}
	defer numa.UseWay(list[len(list)-1])()
	cpus := h.Allowed().List()
	for _, cpu := range []int{cpus[0], cpus[1], cpus[0]} {
		restore, err := numa.Pin(numa.CPUSetOf(cpu))
		if err != nil {
			t.Fatal(err)
		}
		// However long it takes: the answer becomes the new CPU and stays it.
		for at, _ := numa.Current(); at != cpu; at, _ = numa.Current() {
			runtime.Gosched()
		}
		if err := restore(); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkCurrent(b *testing.B) {
	for _, w := range ways(b) {
		b.Run(fmt.Sprintf("way=%v", w), func(b *testing.B) {
			defer numa.UseWay(w)()
			for b.Loop() {
				numa.Current()
			}
		})
	}
	b.Run("way=syscall", func(b *testing.B) {
		for b.Loop() {
			numa.Getcpu()
		}
	})
}
