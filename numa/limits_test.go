// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/fakesys"
	"github.com/turnstile-go/turnstile/numa"
)

func TestLimits(t *testing.T) {
	for _, version := range []string{"cg1", "cg2"} {
		for _, c := range []struct {
			spec    string
			quota   float64
			allowed string
			usable  int
		}{
			{"core:8 affinity:1-3", 0, "1-3", 3},
			{"core:8 affinity:0-7 cgroup:/a/b quota:max|max", 0, "0-7", 8},
			{"core:8 cgroup:/a/b quota:max|2.5", 2.5, "0-7", 3},
			{"core:8 cgroup:/a/b quota:1.5|4", 1.5, "0-7", 2}, // an ancestor's is smaller
			{"core:8 cgroup:/a/b/c quota:3|max|5", 3, "0-7", 3},
			{"core:8 cgroup:/a/b quota:0.25|4", 0.25, "0-7", 1},
			{"core:8 cgroup:/a/b quota:100", 100, "0-7", 8},
			{"core:8 cgroup:/a/b cpuset:0-5|2-7", 0, "2-5", 4},
			{"core:8 cgroup:/a/b cpuset:0-5|", 0, "0-5", 6},
			{"core:8 cgroup:/a/b/c cpuset:0-6|1-6|2-7 affinity:0-4", 0, "2-4", 3},
			{"core:8 cgroup:/a offline:2 cpuset:0-3 affinity:0-7 quota:2", 2, "0-1,3", 2},
		} {
			spec := c.spec + " " + version
			top, err := numa.Read(fakesys.MustParse(spec).FS())
			if err != nil {
				t.Fatal(err)
			}
			if got := top.Allowed().String(); top.Quota != c.quota || got != c.allowed || top.Usable() != c.usable {
				t.Errorf("%s: quota %v, allowed %s, usable %d, want %v, %s, %d", spec, top.Quota, got, top.Usable(), c.quota, c.allowed, c.usable)
			}
			if len(top.Warnings) != 1 { // no shared cache in these machines
				t.Errorf("%s: warnings %q", spec, top.Warnings)
			}
		}
	}
}

// TestLimitsMounts puts the control groups where containers and old systems do.
func TestLimitsMounts(t *testing.T) {
	const (
		v2      = "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
		inside  = "30 22 0:27 /docker/c1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
		v1cpu   = "31 30 0:28 /docker/c1 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
		spaced  = "31 30 0:28 / /odd\\040place rw - cgroup cgroup rw,cpu\n"
		garbage = "x\n1 2 3\n- - - -\n30 22 0:27 / /sys/fs/cgroup rw\n"
	)
	for name, c := range map[string]struct {
		files   map[string]string
		quota   float64
		allowed string
		note    string
	}{
		"container that sees its own part": {map[string]string{
			"proc/self/cgroup": "0::/docker/c1/x\n", "proc/self/mountinfo": inside,
			"sys/fs/cgroup/cpu.max": "100000 100000", "sys/fs/cgroup/x/cpu.max": "max 100000"}, 1, "0-3", ""},
		"group outside the namespace": {map[string]string{
			"proc/self/cgroup": "0::/../other\n", "proc/self/mountinfo": v2,
			"sys/fs/cgroup/cpu.max": "200000 100000", "sys/fs/other/cpu.max": "1 100000"}, 2, "0-3", ""},
		"sibling with a longer name": {map[string]string{
			"proc/self/cgroup": "0::/docker/c12\n", "proc/self/mountinfo": inside,
			"sys/fs/cgroup/2/cpu.max": "1 100000"}, 0, "0-3", ""},
		"version 1 and an empty version 2": {map[string]string{
			"proc/self/cgroup": "5:cpu:/docker/c1\n0::/\n", "proc/self/mountinfo": v1cpu + v2,
			"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "150000", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000"}, 1.5, "0-3", ""},
		"escaped mount point": {map[string]string{
			"proc/self/cgroup": "5:cpu:/a\n", "proc/self/mountinfo": garbage + spaced,
			"odd place/a/cpu.cfs_quota_us": "50000", "odd place/a/cpu.cfs_period_us": "25000"}, 2, "0-3", ""},
		"no table of mounts": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "150000 100000"}, 1.5, "0-3", ""},
		"proc/mounts and the oldest cpusets": {map[string]string{
			"proc/self/cpuset": "/batch\n", "proc/mounts": "none /dev/cpuset cpuset rw 0 0\n",
			"dev/cpuset/cpus": "0-3", "dev/cpuset/batch/cpus": "1-2"}, 0, "1-2", ""},
		"effective set of version 1": {map[string]string{
			"proc/self/cgroup": "5:cpuset:/a\n", "sys/fs/cgroup/cpuset/a/cpuset.cpus": "0-3",
			"sys/fs/cgroup/cpuset/a/cpuset.effective_cpus": "2"}, 0, "2", ""},
		"period left out": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "150000"}, 1.5, "0-3", ""},
		"not a quota": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "lots 0"}, 0, "0-3", "cpu.max is not readable"},
		"period of zero": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "5 0"}, 0, "0-3", "cpu.max is not readable"},
		"cpuset of another machine": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpuset.cpus.effective": "64-70"}, 0, "0-3", "none of which is left"},
		"cpuset that is no list": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpuset.cpus.effective": "3-x"}, 0, "0-3", "is not readable"},
		"lines that are none": {map[string]string{
			"proc/self/cgroup": "\n:\n::\nx:y\n0:cpu\n"}, 0, "0-3", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := fakesys.MustParse("l3:1 core:4").FS()
			for path, content := range c.files {
				f.Set(path, content)
			}
			top, err := numa.Read(f)
			if err != nil {
				t.Fatal(err)
			}
			if got := top.Allowed().String(); got != c.allowed || top.Quota != c.quota {
				t.Errorf("quota %v, allowed %s, want %v, %s", top.Quota, got, c.quota, c.allowed)
			}
			notes := strings.Join(top.Warnings, "\n")
			if c.note == "" && notes != "" || !strings.Contains(notes, c.note) {
				t.Errorf("warnings %q, want %q", notes, c.note)
			}
		})
	}
}
