// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"slices"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/stats"
)

// A Report is everything that is shown.
type Report struct {
	Confidence float64 // asked for; intervals have at least this
	All        bool    // show the table of every unit, also where there is not much room
	Groups     []*Group
}

// A Group is the results of one machine and configuration.
type Group struct {
	Facts  []Fact   // file keys in the order of the file
	Files  []string // labels of the files that had results for this group
	Base   string   // the lock the others are divided by
	Locks  []string // all locks, Base first
	Tables []*Table
}

// A Fact is a file key. Values has more than one entry where the files of the
// group differ in a key that does not split groups.
type Fact struct {
	Key    string
	Values []string
}

// A Table is one unit.
type Table struct {
	Unit   string // tidied: sec/op and not ns/op
	Better int    // +1 higher, -1 lower, 0 the unit does not say
	Keys   []string
	Rows   []*Row
	Means  map[string]stats.Mean // by lock, without the base
}

// A Row is one load.
type Row struct {
	Name   string   // the benchmark's name without the lock
	Values []string // one for each of Table.Keys, "" where the name has no such key
	Cells  []*Cell  // one for each of Group.Locks, nil where it was not measured
}

// A Cell is one lock under one load in one unit.
type Cell struct {
	Lock           string
	N              int
	Center, Lo, Hi float64      // median and its interval
	Ratio          *stats.Ratio // to the base; nil for the base and where it has no partner
	Verdict        stats.Verdict
}

// Table returns the table of a unit, or nil.
func (g *Group) Table(unit string) *Table {
	for _, t := range g.Tables {
		if t.Unit == unit {
			return t
		}
	}
	return nil
}

// MainUnits are what a reader wants to know first: how much work gets done, and how
// long one may have to wait.
var MainUnits = []string{"acq/s", "p999-sec", "max-sec"}

// Main splits the tables into those of MainUnits and the others. A group that has
// none of them, as of plain go test, has main tables only.
func (g *Group) Main() (tables, others []*Table) {
	for _, t := range g.Tables {
		if slices.Contains(MainUnits, t.Unit) {
			tables = append(tables, t)
		} else {
			others = append(others, t)
		}
	}
	if len(tables) == 0 {
		return others, nil
	}
	return tables, others
}

// Short tells whether some ratio has too few samples for an interval.
func (g *Group) Short() bool {
	for _, t := range g.Tables {
		for _, r := range t.Rows {
			for _, c := range r.Cells {
				if c != nil && c.Ratio != nil && c.Ratio.Short() {
					return true
				}
			}
		}
	}
	return false
}

// Fact returns the values of a file key.
func (g *Group) Fact(key string) []string {
	for _, f := range g.Facts {
		if f.Key == key {
			return f.Values
		}
	}
	return nil
}

// Origin says how the group's numbers came about: measured, emulated, simulated or
// quoted; "unstated" where the file does not say.
func (g *Group) Origin() string {
	if v := g.Fact("origin"); len(v) > 0 {
		return v[0]
	}
	return "unstated"
}

// A Count is how many rows got each verdict.
type Count struct{ Better, Worse, Unknown int }

// Count counts the verdicts of a lock; rows without a ratio count as unknown.
func (t *Table) Count(lock string) Count {
	var c Count
	for _, r := range t.Rows {
		for _, cell := range r.Cells {
			if cell == nil || cell.Lock != lock {
				continue
			}
			switch cell.Verdict {
			case stats.Better:
				c.Better++
			case stats.Worse:
				c.Worse++
			default:
				c.Unknown++
			}
		}
	}
	return c
}

// Value returns the row's value of a key, or "".
func (t *Table) Value(r *Row, key string) string {
	for i, k := range t.Keys {
		if k == key {
			return r.Values[i]
		}
	}
	return ""
}

// Cell returns the cell of a lock, or nil.
func (r *Row) Cell(lock string) *Cell {
	for _, c := range r.Cells {
		if c != nil && c.Lock == lock {
			return c
		}
	}
	return nil
}

// Methods tells which methods the ratios of the table used.
func (t *Table) Methods() (paired, unpaired bool) {
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if c != nil && c.Ratio != nil {
				paired = paired || c.Ratio.Method == stats.MethodPaired
				unpaired = unpaired || c.Ratio.Method == stats.MethodUnpaired
			}
		}
	}
	return paired, unpaired
}

// String is "better in 3, worse in 1, unknown in 1 of 5 rows".
func (c Count) String() string {
	n := c.Better + c.Worse + c.Unknown
	return fmt.Sprintf("better in %d, worse in %d, unknown in %d of %d rows", c.Better, c.Worse, c.Unknown, n)
}
