// SPDX-License-Identifier: BSD-3-Clause

package fakesys

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFSIsAFileSystem(t *testing.T) {
	f := MustParse("pack:2 numa:2 l3:1 core:2 pu:2 cgroup:/a/b quota:max|2.5 cpuset:0-7|0-3 affinity:0-5").FS()
	if err := fstest.TestFS(f, f.Files()...); err != nil {
		t.Fatal(err)
	}
	f.Remove("sys")
	f.Remove("not/there")
	if _, err := fs.Stat(f, "sys"); err == nil {
		t.Error("a removed directory is still there")
	}
}

func TestFiles(t *testing.T) {
	for _, c := range []struct{ spec, file, want string }{
		{"pack:2 numa:2 l3:2 core:4 pu:2", "sys/devices/system/cpu/online", "0-63"},
		{"pack:2 core:2 pu:2", "sys/devices/system/cpu/cpu5/topology/core_cpus_list", "4-5"},
		{"pack:2 core:2 pu:2 order:cores", "sys/devices/system/cpu/cpu5/topology/core_cpus_list", "1,5"},
		{"pack:2 core:2 pu:2 order:cores", "sys/devices/system/cpu/cpu5/topology/package_cpus", "00000033"},
		{"pack:2 core:2 offline:1", "sys/devices/system/cpu/cpu0/topology/core_siblings_list", "0"},
		{"pack:2 core:2 offline:1", "sys/devices/system/cpu/cpu1/online", "0"},
		{"numa:2 core:20", "sys/devices/system/node/node1/cpumap", "000000ff,fff00000"},
		{"numa:2 core:2 nodeids:3,1", "sys/devices/system/node/node3/cpulist", "0-1"},
		{"numa:2 core:2 nodeids:3,1 dist:10,20;30,40", "sys/devices/system/node/node3/distance", "20 10"},
		{"numa:2 core:2 cpuless:1", "sys/devices/system/node/node2/cpulist", ""},
		{"core:4 cgroup:/a/b quota:3|1.5", "sys/fs/cgroup/a/b/cpu.max", "150000 100000"},
		{"core:4 cg1 cgroup:/a quota:max", "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1"},
	} {
		b, err := fs.ReadFile(MustParse(c.spec).FS(), c.file)
		if err != nil || strings.TrimSpace(string(b)) != c.want {
			t.Errorf("%s: %s holds %q, %v, want %q", c.spec, c.file, b, err, c.want)
		}
	}
	old := MustParse("numa:2 core:2 masks").FS().Files()
	if i := slices.IndexFunc(old, func(s string) bool { return strings.Contains(s, "list") }); i >= 0 {
		t.Errorf("a tree with masks only has %s", old[i])
	}
}

func TestParseErrors(t *testing.T) {
	for _, spec := range []string{"", "pack:2", "pu:2 core:2", "core:0", "core:x", "core:2 core:2", "core:2 what", "core:2 what:1",
		"core:2 nodeids:1,2", "core:2 dist:1,2", "core:2 quota:x", "core:2 offline:x"} {
		if _, err := Parse(spec); err == nil {
			t.Errorf("Parse(%q) gave no error", spec)
		}
	}
}
