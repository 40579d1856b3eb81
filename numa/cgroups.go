// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"path"
	"slices"
	"strings"
)

// cgroupMount is one mounted control group hierarchy.
type cgroupMount struct {
	root, point string   // the group at its top, and where it is mounted
	kind        string   // cgroup2, cgroup, or cpuset (the oldest form)
	controllers []string // of version 1
}

// has reports whether the hierarchy carries a version 1 controller.
func (m cgroupMount) has(controller string) bool {
	return m.kind == "cgroup" && slices.Contains(m.controllers, controller) ||
		m.kind == "cpuset" && controller == "cpuset"
}

// membership is one line of proc/self/cgroup: the group the process is in.
type membership struct {
	controllers []string // empty in version 2
	path        string
}

// cgroupLevels returns the directories, below the root of the tree, of every
// group from each hierarchy's root down to the process's own, for the
// hierarchies that limit CPUs. A limit counts at every level.
func (r *reader) cgroupLevels() []string {
	members := r.memberships()
	if len(members) == 0 {
		return nil
	}
	mounts := r.cgroupMounts()
	var dirs []string
	for _, m := range members {
		for _, mount := range mounts {
			if m.in(mount) {
				dirs = append(dirs, mount.levels(m.path)...)
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// in reports whether the membership is in this hierarchy and the hierarchy may
// limit CPUs.
func (m membership) in(mount cgroupMount) bool {
	if len(m.controllers) == 0 {
		return mount.kind == "cgroup2"
	}
	for _, c := range m.controllers {
		if (c == "cpu" || c == "cpuset") && mount.has(c) {
			return true
		}
	}
	return false
}

// levels returns the directories of group and its ancestors in the mount. A
// group outside the mount's root (a container that sees its own part only)
// stands at the mount point, which is the nearest ancestor one can see.
func (m cgroupMount) levels(group string) []string {
	point := strings.TrimPrefix(path.Clean("/"+m.point), "/")
	root := path.Clean("/" + m.root)
	rel := path.Clean("/" + group)
	if strings.Contains(group, "..") {
		rel = "/"
	} else if root != "/" {
		rest, inside := strings.CutPrefix(rel, root)
		if !inside || rest != "" && rest[0] != '/' {
			rest = ""
		}
		rel = "/" + strings.TrimPrefix(rest, "/")
	}
	dirs := []string{point}
	at := point
	for part := range strings.SplitSeq(rel, "/") {
		if part != "" {
			at += "/" + part
			dirs = append(dirs, at)
		}
	}
	return dirs
}

// memberships reads proc/self/cgroup, or on old kernels the one path of
// proc/self/cpuset.
func (r *reader) memberships() []membership {
	if s, ok := r.text("proc/self/cgroup"); ok && s != "" {
		return parseMemberships(s)
	}
	if s, ok := r.text("proc/self/cpuset"); ok && strings.HasPrefix(s, "/") {
		return []membership{{path: s}, {controllers: []string{"cpuset"}, path: s}}
	}
	return nil
}

// parseMemberships reads lines "id:controller,controller:path"; a line that is
// not of this form is skipped.
func parseMemberships(s string) []membership {
	var all []membership
	for line := range strings.Lines(s) {
		f := strings.SplitN(strings.TrimRight(line, "\n"), ":", 3)
		if len(f) != 3 || !strings.HasPrefix(f[2], "/") {
			continue
		}
		m := membership{path: f[2]}
		if f[1] != "" {
			m.controllers = strings.Split(f[1], ",")
		}
		all = append(all, m)
	}
	return all
}

// cgroupMounts finds the mounted hierarchies. Without a table of mounts it is
// the layout that systemd and container engines make.
func (r *reader) cgroupMounts() []cgroupMount {
	if s, ok := r.text("proc/self/mountinfo"); ok {
		return parseMountinfo(s)
	}
	for _, name := range []string{"proc/self/mounts", "proc/mounts"} {
		if s, ok := r.text(name); ok {
			return parseMounts(s)
		}
	}
	mounts := []cgroupMount{
		{root: "/", point: "/sys/fs/cgroup", kind: "cgroup2"},
		{root: "/", point: "/sys/fs/cgroup/unified", kind: "cgroup2"},
	}
	for _, c := range []string{"cpu", "cpuset", "cpu,cpuacct"} {
		mounts = append(mounts, cgroupMount{"/", "/sys/fs/cgroup/" + c, "cgroup", strings.Split(c, ",")})
	}
	return mounts
}

// parseMountinfo reads the control groups among lines of proc/PID/mountinfo:
// id parent major:minor root point options [tag]... - type source superoptions.
func parseMountinfo(s string) []cgroupMount {
	var mounts []cgroupMount
	for line := range strings.Lines(s) {
		f := strings.Fields(line)
		dash := slices.Index(f, "-")
		if dash < 5 || len(f) < dash+4 {
			continue
		}
		mounts = appendCgroup(mounts, f[3], f[4], f[dash+1], f[dash+3])
	}
	return mounts
}

// parseMounts reads the control groups among lines of proc/mounts, which does
// not tell the root: source point type options frequency pass.
func parseMounts(s string) []cgroupMount {
	var mounts []cgroupMount
	for line := range strings.Lines(s) {
		if f := strings.Fields(line); len(f) >= 4 {
			mounts = appendCgroup(mounts, "/", f[1], f[2], f[3])
		}
	}
	return mounts
}

// appendCgroup adds a mount if it is a control group hierarchy.
func appendCgroup(mounts []cgroupMount, root, point, kind, options string) []cgroupMount {
	switch kind {
	case "cgroup", "cgroup2", "cpuset":
		return append(mounts, cgroupMount{unescape(root), unescape(point), kind, strings.Split(options, ",")})
	}
	return mounts
}

// unescape undoes the kernel's escapes of white space and backslash in mounts.
func unescape(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}
