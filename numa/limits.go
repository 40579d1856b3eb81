// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"fmt"
	"strconv"
	"strings"
)

// readLimits finds what the process may use: its affinity, the cpusets of its
// control groups at every level, and the smallest CPU quota on the way to each
// root.
func (r *reader) readLimits(affinity *CPUSet) {
	allowed := r.online
	if affinity == nil {
		if set, ok := r.statusAffinity(); ok {
			affinity = &set
		}
	}
	if affinity != nil {
		allowed = r.narrow(allowed, *affinity, "the affinity mask")
	}
	for _, dir := range r.cgroupLevels() {
		if set, ok := r.cpuset(dir); ok {
			allowed = r.narrow(allowed, set, dir)
		}
		if q, ok := r.quota(dir); ok && (r.topo.Quota == 0 || q < r.topo.Quota) {
			r.topo.Quota = q
		}
	}
	for i := range r.topo.CPUs {
		r.topo.CPUs[i].Allowed = allowed.Has(r.topo.CPUs[i].ID)
	}
}

// narrow returns allowed without what set does not have. A set that would leave
// nothing belongs to another machine or moment and is dropped.
func (r *reader) narrow(allowed, set CPUSet, whose string) CPUSet {
	both := allowed.And(set)
	if both.Empty() {
		r.warn("%s allows CPUs %s, none of which is left: not used", whose, clip(set.String()))
		return allowed
	}
	return both
}

// statusAffinity reads the affinity mask of proc/self/status.
func (r *reader) statusAffinity() (CPUSet, bool) {
	s, ok := r.text("proc/self/status")
	if !ok {
		return CPUSet{}, false
	}
	for line := range strings.Lines(s) {
		if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			set, err := ParseCPUSet(list)
			return set, err == nil
		}
	}
	return CPUSet{}, false
}

// cpuset reads the CPUs that one level of a cpuset hierarchy allows: version 2,
// version 1 with and without its prefix. An empty version 1 set or no file is
// no limit.
func (r *reader) cpuset(dir string) (CPUSet, bool) {
	for _, name := range []string{"cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus", "cpus"} {
		if set, ok := r.list(dir + "/" + name); ok && !set.Empty() {
			return set, true
		}
	}
	return CPUSet{}, false
}

// quota reads the CPU quota of one level, in CPUs: version 2 "quota period" or
// "max period", version 1 two files, where -1 is no quota.
func (r *reader) quota(dir string) (float64, bool) {
	if s, ok := r.text(dir + "/cpu.max"); ok {
		q, ok, err := parseQuota(s)
		if err != nil {
			r.warn("%s/cpu.max is not readable: %v", dir, err)
		}
		return q, ok
	}
	q, ok := r.text(dir + "/cpu.cfs_quota_us")
	p, ok2 := r.text(dir + "/cpu.cfs_period_us")
	if !ok || !ok2 || q == "-1" {
		return 0, false
	}
	v, ok, err := parseQuota(q + " " + p)
	if err != nil {
		r.warn("%s/cpu.cfs_quota_us is not readable: %v", dir, err)
	}
	return v, ok
}

// parseQuota reads "quota period" in microseconds; ok is false for "max".
func parseQuota(s string) (cpus float64, ok bool, err error) {
	f := strings.Fields(s)
	if len(f) == 0 || len(f) > 2 {
		return 0, false, fmt.Errorf("%s is not a quota and a period", clip(s))
	}
	if f[0] == "max" {
		return 0, false, nil
	}
	period := uint64(100000) // the kernel's default, which it may leave out
	if len(f) == 2 {
		if period, err = strconv.ParseUint(f[1], 10, 63); err != nil || period == 0 {
			return 0, false, fmt.Errorf("%s is not a period", clip(f[1]))
		}
	}
	quota, err := strconv.ParseUint(f[0], 10, 63)
	if err != nil || quota == 0 {
		return 0, false, fmt.Errorf("%s is not a quota", clip(f[0]))
	}
	return float64(quota) / float64(period), true, nil
}
