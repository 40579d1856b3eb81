// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"fmt"
	"strings"
)

// String draws the topology as indented text: what contains what, from the
// largest parts of the machine down to cores in brackets with their CPUs, then
// nodes without CPUs, distances, limits and warnings. The order of packages,
// nodes, dies and clusters is that of their sizes on this machine; a part that
// does not lie within its parent is drawn in each with "part of" before it.
func (t *Topology) String() string {
	d := drawing{t: t}
	d.headline()
	d.tree(t.levels(), t.all(), 0)
	for _, n := range t.Nodes {
		if n.CPUs.Empty() {
			d.line(0, "%s, no CPUs", d.nodeName(n.ID))
		}
	}
	d.distances()
	d.limits()
	for _, w := range t.Warnings {
		d.line(0, "note: %s", w)
	}
	return d.String()
}

// A drawing is one call of String.
type drawing struct {
	strings.Builder
	t *Topology
}

// line writes one indented line.
func (d *drawing) line(depth int, format string, args ...any) {
	d.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(d, format, args...)
	d.WriteByte('\n')
}

// headline counts everything.
func (d *drawing) headline() {
	t := d.t
	parts := []string{
		count(len(t.CPUs), "CPU"), count(t.Cores(), "core"), count(len(t.Clusters), "cluster"),
		count(len(t.Nodes), "node"), count(len(t.Packages), "package"),
	}
	d.line(0, "%s", strings.Join(parts, ", "))
}

// count is "1 core" or "3 cores".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tree draws cpus by the first level and its parts by the next ones.
func (d *drawing) tree(levels []level, cpus []*CPU, depth int) {
	if len(levels) == 0 {
		d.cores(cpus, depth)
		return
	}
	l := levels[0]
	for _, part := range split(cpus, l.key) {
		id := l.key(part[0])
		name := d.name(l.kind, id)
		if id != unknown && len(part) < l.sizes[id] {
			name = "part of " + name
		}
		d.line(depth, "%s", name)
		d.tree(levels[1:], part, depth+1)
	}
}

// cores draws cores as [0 4] [1 5], in lines of readable length.
func (d *drawing) cores(cpus []*CPU, depth int) {
	parts := split(cpus, coreKey)
	const width = 76
	var line strings.Builder
	for _, part := range parts {
		core := make([]string, len(part))
		for i, c := range part {
			core[i] = fmt.Sprint(c.ID)
		}
		text := "[" + strings.Join(core, " ") + "]"
		if line.Len() > 0 && 2*depth+line.Len()+1+len(text) > width {
			d.line(depth, "%s", line.String())
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(text)
	}
	d.line(depth, "%s", line.String())
}

// name names one part.
func (d *drawing) name(kind string, id int) string {
	switch {
	case id == unknown:
		return kind + " unknown"
	case kind == "node":
		return d.nodeName(id)
	case kind == "cluster":
		return d.clusterName(id)
	}
	return fmt.Sprintf("%s %d", kind, id)
}

// nodeName is "node 1, 256 MB".
func (d *drawing) nodeName(id int) string {
	name := fmt.Sprintf("node %d", id)
	if i := d.t.nodeIndex(id); i >= 0 && d.t.Nodes[i].MemoryBytes > 0 {
		name += ", " + size(d.t.Nodes[i].MemoryBytes)
	}
	return name
}

// clusterName is "cluster 0, L3 32 MB".
func (d *drawing) clusterName(id int) string {
	name := fmt.Sprintf("cluster %d", id)
	if c := d.t.Clusters[id]; c.Level > 0 {
		name += fmt.Sprintf(", L%d", c.Level)
		if c.Bytes > 0 {
			name += " " + size(c.Bytes)
		}
	}
	return name
}

// size is a number of bytes for people.
func size(b uint64) string {
	switch {
	case b >= 10<<30:
		return fmt.Sprintf("%d GB", (b+1<<29)>>30)
	case b >= 1<<20:
		return fmt.Sprintf("%d MB", (b+1<<19)>>20)
	default:
		return fmt.Sprintf("%d KB", (b+1<<9)>>10)
	}
}

// distances draws the table where there is more than one node.
func (d *drawing) distances() {
	if len(d.t.Nodes) < 2 || d.t.Distances == nil {
		return
	}
	row := func(head string, cell func(i int) string) {
		text := fmt.Sprintf("%-8s", head)
		for i := range d.t.Nodes {
			text += fmt.Sprintf(" %4s", cell(i))
		}
		d.line(1, "%s", text)
	}
	d.line(0, "distances")
	row("from\\to", func(i int) string { return fmt.Sprint(d.t.Nodes[i].ID) })
	for i, n := range d.t.Nodes {
		row(fmt.Sprint(n.ID), func(j int) string {
			if d.t.Distances[i][j] == 0 {
				return "?"
			}
			return fmt.Sprint(d.t.Distances[i][j])
		})
	}
}

// limits says what the process may not use.
func (d *drawing) limits() {
	if allowed := d.t.Allowed(); allowed.Len() < len(d.t.CPUs) {
		d.line(0, "allowed: %v", allowed)
	}
	if d.t.Quota > 0 {
		d.line(0, "quota: %.4g CPUs", d.t.Quota)
	}
}
