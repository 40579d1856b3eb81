// SPDX-License-Identifier: BSD-3-Clause

package fakesys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// CPUs returns the numbers of the online CPUs for which f is true.
func (m *Machine) CPUs(f func(PU) bool) []int {
	list := []int{}
	for _, p := range m.PUs {
		if !p.Offline && f(p) {
			list = append(list, p.CPU)
		}
	}
	return list
}

// FS writes the tree of the machine.
func (m *Machine) FS() *FS {
	w := &writer{Machine: m, fs: &FS{}, parts: map[string]*cpuSet{}}
	w.index()
	all := func(PU) bool { return true }
	const cpu = "sys/devices/system/cpu"
	if !m.Flags["masks"] {
		w.fs.Set(cpu+"/online", list(m.CPUs(all))+"\n")
		w.fs.Set(cpu+"/possible", list(upTo(len(m.PUs)))+"\n")
		w.fs.Set(cpu+"/present", list(upTo(len(m.PUs)))+"\n")
	}
	w.fs.Set(cpu+"/kernel_max", "8191\n")
	for _, p := range m.PUs {
		w.cpu(p)
	}
	if !m.Flags["nonodes"] {
		w.nodes()
	}
	w.limits()
	return w.fs
}

// A writer is one call of FS.
type writer struct {
	*Machine
	fs    *FS
	parts map[string]*cpuSet // online CPUs of each "level position"
}

// A cpuSet keeps both spellings of a set, which every CPU in it shows again.
type cpuSet struct {
	cpus       []int
	list, mask string
}

// set makes a cpuSet of cpus.
func (w *writer) set(cpus []int) *cpuSet {
	return &cpuSet{cpus, list(cpus) + "\n", hexMask(cpus, len(w.PUs)) + "\n"}
}

// part is the key of a level and a position.
func part(level string, at int) string { return level + strconv.Itoa(at) }

// index collects the CPUs of every part once: asking Machine.CPUs for each CPU
// would take time in the square of their number.
func (w *writer) index() {
	for _, p := range w.PUs {
		if p.Offline {
			continue
		}
		for level, at := range map[string]int{"pack": p.Pack, "die": p.Die, "numa": p.Node, "l3": p.L3, "l2": p.L2, "core": p.Core} {
			if w.parts[part(level, at)] == nil {
				w.parts[part(level, at)] = &cpuSet{}
			}
			s := w.parts[part(level, at)]
			s.cpus = append(s.cpus, p.CPU)
		}
	}
	for key, s := range w.parts {
		w.parts[key] = w.set(s.cpus)
	}
}

// write writes a CPU set as a mask and, unless the tree is old, as a list.
func (w *writer) write(mask, listName string, s *cpuSet) {
	w.fs.Set(mask, s.mask)
	if !w.Flags["masks"] {
		w.fs.Set(listName, s.list)
	}
}

// cpu writes one CPU's directory. An offline CPU has nothing but its switch.
func (w *writer) cpu(p PU) {
	dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d", p.CPU)
	if p.Offline {
		w.fs.Set(dir+"/online", "0\n")
		return
	}
	if p.CPU > 0 {
		w.fs.Set(dir+"/online", "1\n")
	}
	top := dir + "/topology/"
	id := w.Packs[p.Pack]
	if w.Flags["nopackids"] {
		id = -1
	}
	w.fs.Set(top+"physical_package_id", fmt.Sprintln(id))
	w.fs.Set(top+"core_id", fmt.Sprintln(p.Core))
	sets := map[string]*cpuSet{
		"thread_siblings": w.parts[part("core", p.Core)],
		"core_siblings":   w.parts[part("pack", p.Pack)],
	}
	if !w.Flags["nodies"] && !w.Flags["masks"] {
		w.fs.Set(top+"die_id", fmt.Sprintln(p.Die))
		sets["core_cpus"], sets["package_cpus"] = sets["thread_siblings"], sets["core_siblings"]
		sets["die_cpus"] = w.parts[part("die", p.Die)]
	}
	if !w.Flags["nosets"] {
		for name, cpus := range sets {
			w.write(top+name, top+name+"_list", cpus)
		}
	}
	if !w.Flags["nocaches"] {
		w.caches(dir+"/cache/index", p)
	}
}

// caches writes the caches of a CPU: split L1, L2 and, where the description
// has it, L3.
func (w *writer) caches(index string, p PU) {
	one := func(i, level int, kind, size string, cpus *cpuSet) {
		dir := fmt.Sprintf("%s%d/", index, i)
		w.fs.Set(dir+"level", fmt.Sprintln(level))
		w.fs.Set(dir+"type", kind+"\n")
		w.fs.Set(dir+"size", size+"\n")
		w.write(dir+"shared_cpu_map", dir+"shared_cpu_list", cpus)
	}
	core := w.parts[part("core", p.Core)]
	one(0, 1, "Data", "32K", core)
	one(1, 1, "Instruction", "32K", core)
	one(2, 2, "Unified", "1024K", w.parts[part("l2", p.L2)])
	if w.levels["l3"] {
		one(3, 3, "Unified", "32768K", w.parts[part("l3", p.L3)])
	}
}

// nodes writes the memory nodes.
func (w *writer) nodes() {
	const dir = "sys/devices/system/node/"
	ids := slices.Sorted(slices.Values(w.Nodes))
	if !w.Flags["masks"] {
		w.fs.Set(dir+"online", list(ids)+"\n")
		w.fs.Set(dir+"possible", list(upTo(ids[len(ids)-1]+8))+"\n")
	}
	for i, id := range w.Nodes {
		cpus := w.parts[part("numa", i)]
		if w.Flags["overlap"] {
			cpus = w.set(w.CPUs(func(PU) bool { return true }))
		}
		if cpus == nil {
			cpus = w.set(nil)
		}
		at := fmt.Sprintf("%snode%d/", dir, id)
		w.write(at+"cpumap", at+"cpulist", cpus)
		mem := 1 << 20
		if slices.Contains(w.Memless, i) {
			mem = 0
		}
		w.fs.Set(at+"meminfo", fmt.Sprintf("Node %d MemTotal: %10d kB\nNode %d MemFree: 1 kB\n", id, mem, id))
		w.fs.Set(at+"distance", w.row(i, ids))
	}
}

// row writes node i's distances: one column for each node in order of id.
func (w *writer) row(i int, ids []int) string {
	columns := ids
	if w.Flags["olddist"] {
		columns = upTo(ids[len(ids)-1] + 1)
	}
	var row []string
	for _, id := range columns {
		d := 255
		if j := slices.Index(w.Nodes, id); j >= 0 {
			d = w.Dist[i][j]
			if i == j && w.Flags["local0"] {
				d = 0
			}
		}
		row = append(row, strconv.Itoa(d))
	}
	return strings.Join(row, " ") + "\n"
}

// limits writes what proc and the control groups say of the process.
func (w *writer) limits() {
	w.fs.Set("proc/meminfo", fmt.Sprintf("MemTotal: %d kB\n", len(w.Nodes)<<20))
	if w.Affinity != nil {
		w.fs.Set("proc/self/status", fmt.Sprintf("Name:\ttest\nCpus_allowed:\t%s\nCpus_allowed_list:\t%s\n",
			hexMask(w.Affinity, len(w.PUs)), list(w.Affinity)))
	}
	if w.Cgroup == "" {
		return
	}
	if w.V1 {
		w.fs.Set("proc/self/cgroup", fmt.Sprintf("4:cpu,cpuacct:%s\n3:cpuset:%s\n1:name=systemd:/\n0::/\n", w.Cgroup, w.Cgroup))
		w.fs.Set("proc/self/mountinfo", "30 22 0:27 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"+
			"31 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"+
			"33 30 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n")
	} else {
		w.fs.Set("proc/self/cgroup", fmt.Sprintf("0::%s\n", w.Cgroup))
		w.fs.Set("proc/self/mountinfo", "30 22 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n")
	}
	at := ""
	for i, name := range strings.Split(strings.Trim(w.Cgroup, "/"), "/") {
		at += "/" + name
		w.group(at, i)
	}
}

// group writes the limits of one level, the i-th below the root.
func (w *writer) group(at string, i int) {
	const period = 100000
	if i < len(w.Quotas) {
		quota, shown := "max", "-1"
		if q := w.Quotas[i]; q > 0 {
			quota = strconv.Itoa(int(q * period))
			shown = quota
		}
		if w.V1 {
			w.fs.Set("sys/fs/cgroup/cpu,cpuacct"+at+"/cpu.cfs_quota_us", shown+"\n")
			w.fs.Set("sys/fs/cgroup/cpu,cpuacct"+at+"/cpu.cfs_period_us", fmt.Sprintln(period))
		} else {
			w.fs.Set("sys/fs/cgroup"+at+"/cpu.max", fmt.Sprintf("%s %d\n", quota, period))
		}
	}
	if i < len(w.Cpusets) {
		if w.V1 {
			w.fs.Set("sys/fs/cgroup/cpuset"+at+"/cpuset.cpus", list(w.Cpusets[i])+"\n")
		} else {
			w.fs.Set("sys/fs/cgroup"+at+"/cpuset.cpus.effective", list(w.Cpusets[i])+"\n")
		}
	}
}

// list writes ascending numbers as the kernel does: "0-3,8".
func list(cpus []int) string {
	var parts []string
	for i := 0; i < len(cpus); {
		j := i
		for j+1 < len(cpus) && cpus[j+1] == cpus[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, strconv.Itoa(cpus[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", cpus[i], cpus[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// hexMask writes numbers as a mask for so many CPUs: groups of 32 bits, the
// highest first.
func hexMask(cpus []int, of int) string {
	groups := make([]uint32, (of+31)/32)
	for _, c := range cpus {
		groups[c/32] |= 1 << (c % 32)
	}
	var parts []string
	for _, g := range slices.Backward(groups) {
		parts = append(parts, fmt.Sprintf("%08x", g))
	}
	return strings.Join(parts, ",")
}
