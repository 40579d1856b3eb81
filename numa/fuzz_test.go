// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/fakesys"
	"github.com/turnstile-go/turnstile/numa"
)

// FuzzParseCPUSet: what is read is written in canonical form and read back as
// the same set; what is refused says why in one line.
func FuzzParseCPUSet(f *testing.F) {
	for _, s := range []string{"", "0", "0-3,8\n", "0-31:2/8", "0-1048575", "5-3", "1,,2", "a", "0-9:0/0", " 1 , 2", "\x00", "0-1048575:1/2,7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		set, err := numa.ParseCPUSet(s)
		if err != nil {
			if msg := err.Error(); strings.ContainsAny(msg, "\n\r") || len(msg) > 400 || !set.Empty() {
				t.Fatalf("ParseCPUSet(%q): %v, %q", s, set, msg)
			}
			return
		}
		back, err := numa.ParseCPUSet(set.String())
		if err != nil || back != set || back.String() != set.String() {
			t.Fatalf("ParseCPUSet(%q) = %v, read back as %v, %v", s, set, back, err)
		}
		if set.Len() < 1000 && numa.CPUSetOf(set.List()...) != set {
			t.Fatalf("ParseCPUSet(%q) = %v is not canonical", s, set)
		}
	})
}

// FuzzParseMask: a mask has the CPUs whose digits say so, and no others.
func FuzzParseMask(f *testing.F) {
	for _, s := range []string{"", "0", "f", "00000000,0000ffff", "80000000,00000001\n\x00", "fffffffff", "1,,2", "0x3", ",", "-1", "g"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		set, err := numa.ParseMask(s)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || !set.Empty() {
				t.Fatalf("ParseMask(%q): %v, %v", s, set, err)
			}
			return
		}
		ones := 0
		for _, c := range strings.ReplaceAll(s, "0x", "") {
			switch {
			case c >= '0' && c <= '9':
				ones += onesOf(int(c - '0'))
			case c >= 'a' && c <= 'f':
				ones += onesOf(int(c-'a') + 10)
			case c >= 'A' && c <= 'F':
				ones += onesOf(int(c-'A') + 10)
			}
		}
		if set.Len() != ones {
			t.Fatalf("ParseMask(%q) = %v has %d CPUs, want %d", s, set, set.Len(), ones)
		}
	})
}

func onesOf(n int) (ones int) {
	for ; n != 0; n &= n - 1 {
		ones++
	}
	return ones
}

// FuzzParseDistances: as many numbers as words, none negative.
func FuzzParseDistances(f *testing.F) {
	for _, s := range []string{"", "10", "10 21\n", "0 255", "10 x", "-1", "99999999999", "10\t20  30"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		row, err := numa.ParseDistances(s)
		if err != nil {
			if row != nil || strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("ParseDistances(%q): %v, %v", s, row, err)
			}
			return
		}
		if len(row) != len(strings.Fields(s)) {
			t.Fatalf("ParseDistances(%q) = %v", s, row)
		}
		for _, d := range row {
			if d < 0 {
				t.Fatalf("ParseDistances(%q) = %v", s, row)
			}
		}
	})
}

// FuzzCgroups puts anything into the files that say which control groups the
// process is in and what they allow: Read must not fail, and must allow some of
// the CPUs that are online.
func FuzzCgroups(f *testing.F) {
	f.Add("0::/a/b\n", "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "250000 100000", "0-1")
	f.Add("4:cpu,cpuacct:/a\n3:cpuset:/a\n0::/\n", "31 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n", "-1", "")
	f.Add("0::/../x\n", "30 22 0:27 /a /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "max", "9")
	f.Add("0::/", "30 22 0:27 /a\\040b /\\134 rw - cpuset none rw\n", "max 0", "x")
	f.Add("x", "- - - - - - - - -", "1 2 3", "0-")
	f.Fuzz(func(t *testing.T, cgroup, mountinfo, quota, cpus string) {
		tree := fakesys.MustParse("l3:1 core:4").FS()
		tree.Set("proc/self/cgroup", cgroup)
		tree.Set("proc/self/mountinfo", mountinfo)
		tree.Set("proc/self/status", "Cpus_allowed_list:\t"+cpus+"\n")
		for _, dir := range []string{"", "/a", "/a/b", "/cpu", "/cpu/a"} {
			at := "sys/fs/cgroup" + dir
			tree.Set(at+"/cpu.max", quota)
			tree.Set(at+"/cpu.cfs_quota_us", quota)
			tree.Set(at+"/cpu.cfs_period_us", "100000")
			tree.Set(at+"/cpuset.cpus", cpus)
			tree.Set(at+"/cpuset.cpus.effective", cpus)
		}
		top, err := numa.Read(tree)
		if err != nil {
			t.Fatal(err)
		}
		if top.Allowed().Empty() || top.Quota < 0 || top.Usable() < 1 || top.Usable() > 4 {
			t.Fatalf("allowed %v, quota %v, usable %d", top.Allowed(), top.Quota, top.Usable())
		}
		for _, w := range top.Warnings {
			if strings.ContainsAny(w, "\n\r") {
				t.Fatalf("a warning of several lines: %q", w)
			}
		}
	})
}

// FuzzRead puts anything into the files that say how CPUs and nodes hang
// together: Read must keep its invariants and the picture must not panic.
func FuzzRead(f *testing.F) {
	f.Add("0-3", "0-1", "0-1", "0-1", "10 20", uint8(0))
	f.Add("0,2-3", "0", "1", "0-3", "10", uint8(1))
	f.Add("0-3", "2-3", "0-2", "", "21 10 x", uint8(2))
	f.Add("", "", "", "", "", uint8(3))
	f.Fuzz(func(t *testing.T, online, core, cache, node, distance string, which uint8) {
		tree := fakesys.MustParse("numa:2 l3:1 core:2").FS()
		cpu := []string{"cpu0", "cpu1", "cpu2", "cpu3"}[which%4]
		tree.Set(cpuDir+"online", online)
		tree.Set(cpuDir+cpu+"/topology/core_cpus_list", core)
		tree.Set(cpuDir+cpu+"/topology/physical_package_id", core)
		tree.Set(cpuDir+cpu+"/topology/die_id", cache)
		tree.Set(cpuDir+cpu+"/cache/index3/shared_cpu_list", cache)
		tree.Set(cpuDir+cpu+"/cache/index3/level", core)
		tree.Set(nodeDir+"node1/cpulist", node)
		tree.Set(nodeDir+"online", node)
		tree.Set(nodeDir+"node0/distance", distance)
		tree.Set(nodeDir+"node1/meminfo", "MemTotal:"+distance)
		top, err := numa.Read(tree)
		if err != nil {
			return
		}
		checkInvariants(t, top)
		if top.String() == "" {
			t.Fatal("no picture")
		}
		for _, p := range []numa.Placement{numa.Compact, numa.Scatter} {
			if cpus, err := p.CPUs(top); err != nil || len(cpus) != top.Allowed().Len() {
				t.Fatalf("%v: %v, %v of %v", p, cpus, err, top.Allowed())
			}
		}
	})
}
