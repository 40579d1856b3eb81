// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

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
	done := false
	return func() error {
		if done {
			return errors.New("numa: restore was called twice")
		}
		// Another goroutine has a mask of its own, and a lock that is not ours.
		if unix.Gettid() != tid {
			return errors.New("numa: restore was called on another goroutine than Pin")
		}
		if err := widenTo(old); err != nil {
			return err
		}
		done = true
		runtime.UnlockOSThread()
		return nil
	}, nil
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
		err = errors.Join(err, widenTo(old))
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
