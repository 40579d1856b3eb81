// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// DefaultIgnore lists the file keys that do not split groups: what every run
// measures anew, and what says when and how it was made rather than on what. They
// would give each run, or each way to run, a table of its own.
const DefaultIgnore = "pause-ns,spin2-ratio,lost,delay-ns,clock-ns,hold50-ns,harness-ns," +
	"date,suite,cell,samples,version,commit,pkg"

// Options choose what is compared.
type Options struct {
	Filter     string  // a benchproc filter; "" is "*"
	Ignore     string  // file keys that do not split groups, beside DefaultIgnore
	Base       string  // the lock the others are divided by; "" is std, or the first
	Confidence float64 // of intervals, between 0 and 1
	All        bool    // text and Markdown show the table of every unit
}

// A Builder collects results.
type Builder struct {
	opts   Options
	filter *benchproc.Filter
	group  *benchproc.Projection
	row    *benchproc.Projection
	col    *benchproc.Projection
	groups map[benchproc.Key]*groupData
}

// groupData is a group while results come in.
type groupData struct {
	rows  map[benchproc.Key]*rowData
	cols  map[benchproc.Key]bool
	units []string // in order of appearance
	files []string
	facts []Fact
}

// rowData is one load.
type rowData struct {
	key   benchproc.Key
	cells map[benchproc.Key]*cellData
	turns map[string][]benchproc.Key // by file, the locks in the order measured
}

// cellData is one lock under one load: by unit, by file, the samples in order.
type cellData struct {
	samples map[string]map[string][]float64
}

// NewBuilder checks the options.
func NewBuilder(o Options) (*Builder, error) {
	if !(o.Confidence > 0 && o.Confidence < 1) {
		return nil, fmt.Errorf("-confidence %v: want a number between 0 and 1, such as 0.95", o.Confidence)
	}
	if o.Filter == "" {
		o.Filter = "*"
	}
	b := &Builder{opts: o, groups: make(map[benchproc.Key]*groupData)}
	var err error
	if b.filter, err = benchproc.NewFilter(o.Filter); err != nil {
		return nil, fmt.Errorf("-filter %q: %s; want a benchstat filter, such as \"/goroutines:4 .unit:acq/s\"", o.Filter, reason(err))
	}
	return b, b.project()
}

// project sets up what a result is grouped by.
func (b *Builder) project() error {
	var p benchproc.ProjectionParser
	ignore := DefaultIgnore
	if b.opts.Ignore != "" {
		ignore += "," + b.opts.Ignore
	}
	if _, err := p.Parse(ignore, b.filter); err != nil {
		return fmt.Errorf("-ignore %q: %s; want file keys separated by commas", b.opts.Ignore, reason(err))
	}
	var errs [3]error
	b.col, errs[0] = p.Parse("/lock", b.filter)
	b.group, errs[1] = p.Parse(".config", b.filter)
	b.row, errs[2] = p.Parse(".fullname", b.filter)
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// reason is what a parser of benchproc says is wrong. It draws the query and a mark
// below it on further lines, which do not fit into one.
func reason(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimPrefix(first, "syntax error: ")
}

// Add takes a result in; it does not keep it.
func (b *Builder) Add(res *benchfmt.Result) error {
	if ok, err := b.filter.Apply(res); err != nil || !ok {
		return err
	}
	g := b.groupOf(res)
	file := res.GetConfig(".file")
	if !slices.Contains(g.files, file) {
		g.files = append(g.files, file)
	}
	g.addFacts(res)
	row, col := g.rowOf(b.row.Project(res)), b.col.Project(res)
	g.cols[col] = true
	row.turns[file] = append(row.turns[file], col)
	cell := row.cells[col]
	if cell == nil {
		cell = &cellData{make(map[string]map[string][]float64)}
		row.cells[col] = cell
	}
	for _, v := range res.Values {
		g.addUnit(v.Unit)
		cell.add(v.Unit, file, v.Value)
	}
	return nil
}

func (b *Builder) groupOf(res *benchfmt.Result) *groupData {
	key := b.group.Project(res)
	g := b.groups[key]
	if g == nil {
		g = &groupData{rows: make(map[benchproc.Key]*rowData), cols: make(map[benchproc.Key]bool)}
		b.groups[key] = g
	}
	return g
}

func (g *groupData) rowOf(key benchproc.Key) *rowData {
	r := g.rows[key]
	if r == nil {
		r = &rowData{key, make(map[benchproc.Key]*cellData), make(map[string][]benchproc.Key)}
		g.rows[key] = r
	}
	return r
}

// addFacts notes the file keys; a key the group has with another value gets both.
func (g *groupData) addFacts(res *benchfmt.Result) {
	for _, c := range res.Config {
		if !c.File {
			continue
		}
		i := slices.IndexFunc(g.facts, func(f Fact) bool { return f.Key == c.Key })
		if i < 0 {
			g.facts = append(g.facts, Fact{Key: c.Key})
			i = len(g.facts) - 1
		}
		if v := string(c.Value); !slices.Contains(g.facts[i].Values, v) {
			g.facts[i].Values = append(g.facts[i].Values, v)
		}
	}
}

func (g *groupData) addUnit(unit string) {
	if !slices.Contains(g.units, unit) {
		g.units = append(g.units, unit)
	}
}

func (c *cellData) add(unit, file string, v float64) {
	files := c.samples[unit]
	if files == nil {
		files = make(map[string][]float64)
		c.samples[unit] = files
	}
	files[file] = append(files[file], v)
}

// Results reports how many loads are in; 0 after reading means that the filter
// let nothing through.
func (b *Builder) Results() int {
	n := 0
	for _, g := range b.groups {
		n += len(g.rows)
	}
	return n
}
