// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/stats"
)

// NoLock is the column of results whose name has no /lock key.
const NoLock = "(no lock)"

// Report computes the tables of what was added.
func (b *Builder) Report(units benchfmt.UnitMetadataMap) (*Report, error) {
	rep := &Report{Confidence: b.opts.Confidence, All: b.opts.All}
	for _, key := range sorted(b.groups) {
		g, err := b.groupReport(b.groups[key], units)
		if err != nil {
			return nil, err
		}
		rep.Groups = append(rep.Groups, g)
	}
	return rep, nil
}

func sorted[V any](m map[benchproc.Key]V) []benchproc.Key {
	keys := slices.Collect(maps.Keys(m))
	benchproc.SortKeys(keys)
	return keys
}

func (b *Builder) groupReport(d *groupData, units benchfmt.UnitMetadataMap) (*Group, error) {
	cols, err := b.columns(d)
	if err != nil {
		return nil, err
	}
	g := &Group{Facts: d.facts, Files: d.files}
	for _, c := range cols {
		g.Locks = append(g.Locks, lockName(c))
	}
	g.Base = g.Locks[0]
	for _, unit := range d.units {
		t := &Table{Unit: unit, Better: better(units, unit)}
		b.fill(t, d, cols, units.GetAssumption(unit))
		t.means(g.Locks[1:])
		g.Tables = append(g.Tables, t)
	}
	return g, nil
}

// columns returns the locks of a group, the base first.
func (b *Builder) columns(d *groupData) ([]benchproc.Key, error) {
	cols := sorted(d.cols)
	base := slices.IndexFunc(cols, func(k benchproc.Key) bool { return lockName(k) == b.base() })
	if base < 0 && b.opts.Base != "" {
		var have []string
		for _, c := range cols {
			have = append(have, lockName(c))
		}
		return nil, fmt.Errorf("-base %s: no such lock in %s; want one of %s",
			b.opts.Base, strings.Join(d.files, ", "), strings.Join(have, " "))
	}
	if base > 0 {
		k := cols[base]
		cols = append([]benchproc.Key{k}, slices.Delete(cols, base, base+1)...)
	}
	return cols, nil
}

func (b *Builder) base() string {
	if b.opts.Base != "" {
		return b.opts.Base
	}
	return "std"
}

func lockName(k benchproc.Key) string {
	if name := k.Get(k.Projection().Fields()[0]); name != "" {
		return name
	}
	return NoLock
}

// fill computes the rows of one unit.
func (b *Builder) fill(t *Table, d *groupData, cols []benchproc.Key, assume benchmath.Assumption) {
	var names []rowName
	for _, key := range sorted(d.rows) {
		r := d.rows[key]
		row := &Row{}
		found := false
		for _, col := range cols {
			c := b.cell(r, cols[0], col, t, d.files, assume)
			found = found || c != nil
			row.Cells = append(row.Cells, c)
		}
		if found {
			t.Rows = append(t.Rows, row)
			names = append(names, parseName(key.Get(key.Projection().Fields()[0])))
		}
	}
	t.label(names)
}

// cell computes one lock under one load, or nil where it was not measured.
func (b *Builder) cell(r *rowData, base, col benchproc.Key, t *Table, files []string, assume benchmath.Assumption) *Cell {
	d := r.cells[col]
	if d == nil || d.samples[t.Unit] == nil {
		return nil
	}
	values := pool(d.samples[t.Unit], files)
	s := assume.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), b.opts.Confidence)
	c := &Cell{Lock: lockName(col), N: len(values), Center: s.Center, Lo: s.Lo, Hi: s.Hi}
	bd := r.cells[base]
	if col == base || bd == nil || bd.samples[t.Unit] == nil {
		return c
	}
	ratio := b.ratio(r, base, col, t.Unit, files)
	c.Ratio, c.Verdict = &ratio, ratio.Judge(t.Better)
	return c
}

// ratio compares two locks under one load: G1.
func (b *Builder) ratio(r *rowData, base, col benchproc.Key, unit string, files []string) stats.Ratio {
	bs, xs := r.cells[base].samples[unit], r.cells[col].samples[unit]
	var pairedBase, pairedXs []float64
	for _, f := range files {
		if !r.inTurns(f, base, col) {
			return stats.Unpaired(pool(bs, files), pool(xs, files), b.opts.Confidence)
		}
		n := min(len(bs[f]), len(xs[f]))
		pairedBase = append(pairedBase, bs[f][:n]...)
		pairedXs = append(pairedXs, xs[f][:n]...)
	}
	if len(pairedXs) == 0 { // a single sample of each lock, in different files
		return stats.Unpaired(pool(bs, files), pool(xs, files), b.opts.Confidence)
	}
	return stats.Paired(pairedBase, pairedXs, b.opts.Confidence)
}

// inTurns reports whether file measured the two locks in turns under this load.
func (r *rowData) inTurns(file string, base, col benchproc.Key) bool {
	var order []bool
	for _, k := range r.turns[file] {
		if k == base || k == col {
			order = append(order, k == base)
		}
	}
	return stats.InTurns(order)
}

// pool concatenates the samples of all files.
func pool(byFile map[string][]float64, files []string) []float64 {
	var all []float64
	for _, f := range files {
		all = append(all, byFile[f]...)
	}
	return all
}

// means computes the geometric mean of each lock's ratios.
func (t *Table) means(locks []string) {
	t.Means = make(map[string]stats.Mean)
	for _, lock := range locks {
		ratios := make([]stats.Ratio, len(t.Rows)) // zero value: no ratio
		for i, r := range t.Rows {
			if c := r.Cell(lock); c != nil && c.Ratio != nil {
				ratios[i] = *c.Ratio
			}
		}
		t.Means[lock] = stats.GeoMean(ratios)
	}
}

// better asks the unit's metadata, then the unit's form.
func better(units benchfmt.UnitMetadataMap, unit string) int {
	if b := units.GetBetter(unit); b != 0 {
		return b
	}
	switch {
	case units.Get(unit, "better") != nil:
		return 0
	case strings.HasSuffix(unit, "/s"):
		return 1
	case strings.HasPrefix(unit, "sec") || strings.HasSuffix(strings.TrimSuffix(unit, "/op"), "-sec"):
		return -1
	}
	return 0
}
