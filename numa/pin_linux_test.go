// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/turnstile-go/turnstile/numa"
)

// The first thread of a process cannot end: the runtime parks it for good where
// another would end. No test is to end a pinned goroutine on it and wait, so it
// is kept for the main goroutine, which runs no tests.
func init() { runtime.LockOSThread() }

// masks returns the CPU list of every thread of this process.
func masks(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	files, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(files) == 0 {
		t.Skip("there is no /proc/self/task: masks of threads cannot be seen")
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // the thread has ended
		}
		_, rest, _ := strings.Cut(string(b), "Cpus_allowed_list:")
		line, _, _ := strings.Cut(rest, "\n")
		all[f] = strings.TrimSpace(line)
	}
	return all
}

// noneNarrowed checks that every thread has the mask of the whole process.
func noneNarrowed(t *testing.T) {
	t.Helper()
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	for f, list := range masks(t) {
		if set, err := numa.ParseCPUSet(list); err != nil || set.And(h.Online()) != h.Allowed() {
			t.Errorf("%s: mask %s, %v, want %v", f, list, err, h.Allowed())
		}
	}
}

// two returns two CPUs, without which a narrowed mask cannot be told.
func two(t *testing.T) (a, b int) {
	t.Helper()
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	cpus := h.Allowed().List()
	if len(cpus) < 2 {
		t.Skip("this process may use one CPU only: a narrowed mask looks like any other")
	}
	return cpus[0], cpus[len(cpus)-1]
}

func TestPinRestores(t *testing.T) {
	a, b := two(t)
	outer, err := numa.Pin(numa.CPUSetOf(a, b))
	if err != nil {
		t.Fatal(err)
	}
	inner, err := numa.Pin(numa.CPUSetOf(b))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		runtime.Gosched()
		if cpu, _, _ := numa.Getcpu(); cpu != b {
			t.Fatalf("pinned to CPU %d and runs on %d", b, cpu)
		}
	}
	other := make(chan error)
	go func() { other <- inner() }()
	if <-other == nil {
		t.Error("restore worked on another goroutine")
	}
	for _, restore := range []func() error{inner, outer} {
		if err := restore(); err != nil {
			t.Error(err)
		}
		if restore() == nil {
			t.Error("restore worked twice")
		}
	}
	noneNarrowed(t)
}

// TestPinOutOfOrder restores outer pins before inner ones: that must fail and
// change nothing, whether the sets are equal or not, and the right order must
// work afterwards.
func TestPinOutOfOrder(t *testing.T) {
	a, b := two(t)
	for _, sets := range [][]numa.CPUSet{
		{numa.CPUSetOf(a), numa.CPUSetOf(a)},
		{numa.CPUSetOf(b), numa.CPUSetOf(b), numa.CPUSetOf(b)},
		{numa.CPUSetOf(a, b), numa.CPUSetOf(a), numa.CPUSetOf(b)},
		{numa.CPUSetOf(a), numa.CPUSetOf(a, b)},
	} {
		var restores []func() error
		for _, set := range sets {
			restore, err := numa.Pin(set)
			if err != nil {
				t.Fatal(err)
			}
			restores = append(restores, restore)
		}
		before := ownMask(t)
		for len(restores) > 0 {
			inner := len(restores) - 1
			for _, restore := range restores[:inner] {
				if err := restore(); err == nil || !strings.Contains(err.Error(), "out of order") {
					t.Errorf("sets %v, %d in force: a restore out of order gave %v", sets, len(restores), err)
				}
			}
			if now := ownMask(t); now != before {
				t.Errorf("sets %v: a restore out of order left the mask %v, want %v", sets, now, before)
			}
			if err := restores[inner](); err != nil {
				t.Error(err)
			}
			restores = restores[:inner]
			before = ownMask(t)
		}
		noneNarrowed(t)
	}
}

// TestPinOutOfOrderLocks ends a goroutine after a restore out of order: it must
// still be locked, which is seen by its thread ending with it.
func TestPinOutOfOrderLocks(t *testing.T) {
	a, _ := two(t)
	ended := make(chan string)
	go func() {
		outer, err := numa.Pin(numa.CPUSetOf(a))
		if err != nil {
			t.Error(err)
		}
		if _, err = numa.Pin(numa.CPUSetOf(a)); err != nil {
			t.Error(err)
		}
		outer()
		outer() // as often as there are locks
		ended <- fmt.Sprintf("/proc/self/task/%d/status", syscall.Gettid())
	}()
	for thread := <-ended; ; runtime.Gosched() {
		if _, there := masks(t)[thread]; !there {
			break
		}
	}
	noneNarrowed(t)
}

// ownMask returns the mask of the thread of this, pinned or not.
func ownMask(t *testing.T) numa.CPUSet {
	t.Helper()
	set, err := numa.ThreadAffinity(0)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestPinDoesNotLeak starts threads from a pinned one: none may inherit its mask.
func TestPinDoesNotLeak(t *testing.T) {
	a, _ := two(t)
	restore, err := numa.Pin(numa.CPUSetOf(a))
	if err != nil {
		t.Fatal(err)
	}
	before := masks(t)
	var blocked, all sync.WaitGroup
	release := make(chan struct{})
	for range 4 {
		blocked.Add(1)
		all.Go(func() {
			runtime.LockOSThread() // so that the runtime must start another thread
			defer runtime.UnlockOSThread()
			blocked.Done()
			<-release
		})
	}
	blocked.Wait()
	narrow := 0
	for f, list := range masks(t) {
		if set, _ := numa.ParseCPUSet(list); set.Len() == 1 {
			narrow++
			_, old := before[f]
			t.Logf("%s: %s, there before: %v", f, list, old)
		}
	}
	close(release)
	all.Wait()
	if err := restore(); err != nil {
		t.Fatal(err)
	}
	if narrow != 1 {
		t.Errorf("%d threads have a narrow mask, want the pinned one", narrow)
	}
	noneNarrowed(t)
}

func TestPinErrors(t *testing.T) {
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	a := h.Allowed().List()[0]
	for _, c := range []struct {
		set  numa.CPUSet
		word string
	}{
		{numa.CPUSet{}, "no CPUs"},
		{numa.CPUSetOf(numa.MaxCPU), "CPU 1048575 does not exist"},
		{numa.CPUSetOf(a, 9000), "CPU 9000 does not exist"}, // the kernel alone would drop it
		{numa.CPUSetOf(a, 100000, 100001), "CPUs 100000-100001 do not exist"},
	} {
		restore, err := numa.Pin(c.set)
		if err == nil || !strings.Contains(err.Error(), c.word) || !errors.Is(err, syscall.EINVAL) || restore != nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("Pin(%v) gave %v, want %q", c.set, err, c.word)
		}
		noneNarrowed(t)
	}
}

func TestWorkersPinned(t *testing.T) {
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	cpus := h.Allowed().List()
	a, b := cpus[0], cpus[len(cpus)-1] // the same, where there is but one
	for _, p := range []numa.Placement{numa.Compact, numa.Scatter, numa.OnCPUs(numa.CPUSetOf(b)), numa.OnCPUs(numa.CPUSetOf(a, b)), numa.OnNode(nodeOf(h, b))} {
		order, err := p.CPUs(h)
		if err != nil {
			t.Fatal(err)
		}
		const n = 5
		seen := make([]int, n)
		var inside sync.WaitGroup
		inside.Add(n)
		err = numa.Workers(t.Context(), nil, p, n, func(ctx context.Context, w numa.Worker) error {
			inside.Done()
			inside.Wait() // all are in at once
			cpu, node, _ := numa.Getcpu()
			c, _ := h.CPU(cpu)
			if cpu != w.CPU || node != w.Node || c.Cluster != w.Cluster || cpu != order[w.Index%len(order)] {
				t.Errorf("%v: %+v runs on CPU %d, node %d", p, w, cpu, node)
			}
			seen[w.Index]++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range seen {
			if s != 1 {
				t.Errorf("%v: worker %d ran %d times", p, i, s)
			}
		}
		noneNarrowed(t)
	}
}

// nodeOf returns the node of a CPU.
func nodeOf(top *numa.Topology, cpu int) int {
	c, _ := top.CPU(cpu)
	return c.Node
}

// TestWorkersLeaveNoNarrowThread ends workers in every way there is.
func TestWorkersLeaveNoNarrowThread(t *testing.T) {
	_, b := two(t)
	for range 3 {
		err := numa.Workers(t.Context(), nil, numa.OnCPUs(numa.CPUSetOf(b)), 5, func(ctx context.Context, w numa.Worker) error {
			switch w.Index {
			case 0:
				return errors.New("failed")
			case 1:
				panic("boom")
			case 2:
				runtime.Goexit()
			case 3:
				_, err := numa.Pin(numa.CPUSetOf(b)) // and never restored
				return err
			}
			return nil
		})
		if err == nil {
			t.Fatal("no error")
		}
	}
	// The thread of worker 3 ends with its goroutine, a moment after Workers.
	h, _ := numa.Host()
	for whole := false; !whole; {
		whole = true
		for list := range maps.Values(masks(t)) {
			set, _ := numa.ParseCPUSet(list)
			whole = whole && set.And(h.Online()) == h.Allowed()
		}
		runtime.Gosched()
	}
	noneNarrowed(t)
}

// TestWorkersCannotPin names a CPU that only the description has: nobody starts.
func TestWorkersCannotPin(t *testing.T) {
	h, err := numa.Host()
	if err != nil {
		t.Fatal(err)
	}
	top := &numa.Topology{}
	for id, cpu := range []int{h.Allowed().List()[0], 9000} {
		top.CPUs = append(top.CPUs, numa.CPU{ID: cpu, Core: id, Cluster: -1, Die: -1, Package: -1, Node: -1, Allowed: true})
	}
	err = numa.Workers(t.Context(), top, numa.Compact, 2, func(context.Context, numa.Worker) error {
		t.Error("a worker ran")
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "worker 1: numa: cannot pin to CPUs 9000: CPU 9000 does not exist") {
		t.Errorf("got %v", err)
	}
	noneNarrowed(t)
}
