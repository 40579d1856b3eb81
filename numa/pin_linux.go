// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

func pin(set CPUSet) (func() error, error) {
	if set.Empty() {
		return nil, fmt.Errorf("numa: cannot pin to no CPUs: %w", unix.EINVAL)
	}
	// Locked before the mask is read: the goroutine must not move in between.
	runtime.LockOSThread()
	old, err := threadAffinity(0)
	if err == nil {
		err = narrowTo(set, old)
	}
	if err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	tid := unix.Gettid()
	p := &pinning{tid: tid, depth: pins.enter(tid), old: old}
	return p.restore, nil
}

// A pinning is one successful call of Pin.
type pinning struct {
	tid   int
	depth int // of the thread's pins in force, this one included
	old   CPUSet
	done  bool
}

// restore undoes the pin, or changes nothing.
func (p *pinning) restore() error {
	if p.done {
		return errors.New("numa: restore was called twice")
	}
	// Another goroutine has a mask of its own, and a lock that is not ours.
	if unix.Gettid() != p.tid {
		return errors.New("numa: restore was called on another goroutine than Pin")
	}
	// Out of order the inner restore, coming last, would put the outer pin's
	// mask back on a thread that is no longer locked (N4). The masks do not
	// tell the two apart: they may be equal.
	if inner := pins.depth(p.tid) - p.depth; inner != 0 {
		return fmt.Errorf("numa: restore was called out of order: later pins of this goroutine are to be restored first, %d of them", inner)
	}
	if err := widenTo(p.old); err != nil {
		return err
	}
	p.done = true
	pins.leave(p.tid)
	runtime.UnlockOSThread()
	return nil
}

// pins counts the pins in force on each thread.
var pins = pinCounts{of: map[int]int{}}

// pinCounts is a count for each thread id. A thread that ends pinned leaves its
// count behind: at most one entry for each id that the kernel has, and a later
// thread of that id starts from it, which is harmless because only differences
// count.
type pinCounts struct {
	mu sync.Mutex
	of map[int]int
}

// enter counts one more pin of the thread and returns how many there are.
func (c *pinCounts) enter(tid int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[tid]++
	return c.of[tid]
}

// depth returns the pins of the thread.
func (c *pinCounts) depth(tid int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[tid]
}

// leave counts one pin less.
func (c *pinCounts) leave(tid int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of[tid]--; c.of[tid] == 0 {
		delete(c.of, tid)
	}
}

// narrowTo gives the calling thread the mask set, or leaves it old.
func narrowTo(set, old CPUSet) error {
	if err := setAffinity(set); err != nil {
		return fmt.Errorf("numa: cannot pin to CPUs %v: %s: %w", set, whyNot(set), err)
	}
	// The kernel drops silently what it does not have, as long as one CPU is left.
	got, err := threadAffinity(0)
	if err == nil && got != set {
		lost := set.AndNot(got)
		err = fmt.Errorf("numa: cannot pin to CPUs %v: %s: %w", set, whyNot(lost), unix.EINVAL)
	}
	if err != nil {
		err = joinErrors(err, widenTo(old))
	}
	return err
}

// widenTo puts an old mask back. The process's cpuset may have changed and left
// nothing of it; then every CPU is asked for, of which the kernel keeps those
// of the cpuset: a thread must not stay narrow.
func widenTo(old CPUSet) error {
	err := setAffinity(old)
	if err == nil {
		return nil
	}
	if setAffinity(cpuRange(0, max(old.last(), 8191))) == nil {
		return nil
	}
	return fmt.Errorf("numa: cannot restore the mask %v: %w", old, err)
}

// setAffinity sets the mask of the calling thread.
func setAffinity(set CPUSet) error {
	mask := unix.NewCPUSet(set.last() + 1)
	for cpu := range set.All() {
		mask.Set(cpu)
	}
	return unix.SchedSetaffinityDynamic(0, mask)
}

// whyNot says what is wrong with each CPU of a set that could not be had.
func whyNot(set CPUSet) string {
	t := tree{fsys: os.DirFS("/")}
	online, ok := t.list(cpuDir + "/online")
	present, ok2 := t.list(cpuDir + "/present")
	if !ok || !ok2 {
		return fmt.Sprintf("the kernel refuses %v", set)
	}
	return explain(set, present, online)
}

// explain sorts CPUs that could not be had by reason.
func explain(set, present, online CPUSet) string {
	var parts []string
	for _, p := range []struct {
		cpus      CPUSet
		one, many string
	}{
		{set.AndNot(present), "does not exist", "do not exist"},
		{set.And(present).AndNot(online), "is offline", "are offline"},
		{set.And(present).And(online), "is outside the cpuset of this process", "are outside the cpuset of this process"},
	} {
		switch p.cpus.Len() {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("CPU %v %s", p.cpus, p.one))
		default:
			parts = append(parts, fmt.Sprintf("CPUs %v %s", p.cpus, p.many))
		}
	}
	return strings.Join(parts, ", ")
}
