// SPDX-License-Identifier: BSD-3-Clause

package fakesys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Machine is a description read by Parse.
type Machine struct {
	PUs   []PU  // all CPUs, by number, with the offline ones
	Nodes []int // ids of all nodes, those without CPUs last
	Packs []int // ids of the packages

	Dist     [][]int // by position in Nodes; never nil
	Memless  []int   // positions of nodes without memory
	Affinity []int   // nil is none told

	Cgroup   string    // path of the process's group, "" is none
	V1       bool      // control groups are version 1
	Quotas   []float64 // by level below the root, 0 is none
	Cpusets  [][]int   // by level below the root, nil is not set
	Flags    map[string]bool
	levels   map[string]bool // named in the description
	cpusLess int
}

// A PU is one CPU. All but CPU are positions counted over the machine.
type PU struct {
	CPU                                int
	Pack, Die, Node, L3, L2, Core, Thr int
	Offline                            bool
}

// levelNames are the levels a description may name.
var levelNames = []string{"pack", "die", "numa", "l3", "l2", "core", "pu"}

// flagNames are the words without a value.
var flagNames = []string{"masks", "nonodes", "nocaches", "nodies", "nopackids", "local0", "overlap", "olddist", "nosets"}

// MustParse is Parse for descriptions in tests; it panics on an error.
func MustParse(spec string) *Machine {
	m, err := Parse(spec)
	if err != nil {
		panic(err)
	}
	return m
}

// Parse reads a description; the package documentation has the form.
func Parse(spec string) (*Machine, error) {
	m := &Machine{Flags: map[string]bool{}, levels: map[string]bool{}}
	var names []string
	var counts []int
	values := map[string]string{}
	for word := range strings.FieldsSeq(spec) {
		key, value, has := strings.Cut(word, ":")
		switch {
		case !has && slices.Contains(flagNames, key):
			m.Flags[key] = true
		case has && slices.Contains(levelNames, key):
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || m.levels[key] {
				return nil, fmt.Errorf("fakesys: bad level %q", word)
			}
			names, counts = append(names, key), append(counts, n)
			m.levels[key] = true
		case has || key == "cg1" || key == "cg2":
			values[key] = value
		default:
			return nil, fmt.Errorf("fakesys: unknown word %q", word)
		}
	}
	if i, j := slices.Index(names, "core"), slices.Index(names, "pu"); i < 0 || j >= 0 && j < i {
		return nil, fmt.Errorf("fakesys: %q names no core before pu", spec)
	}
	m.build(names, counts)
	return m, m.override(values)
}

// build makes the CPUs from the levels.
func (m *Machine) build(names []string, counts []int) {
	total := 1
	for _, n := range counts {
		total *= n
	}
	for i := range total {
		// The position at a level, counted over the machine, is i divided by
		// how many CPUs one part of that level has.
		at := map[string]int{}
		per := total
		for k, name := range names {
			per /= counts[k]
			at[name] = i / per
		}
		p := PU{CPU: i, Pack: at["pack"], Die: at["die"], Node: at["numa"], L3: at["l3"], L2: at["l2"], Core: at["core"]}
		if !m.levels["die"] {
			p.Die = p.Pack
		}
		if !m.levels["l2"] {
			p.L2 = p.Core
		}
		if len(m.PUs) > 0 && m.PUs[i-1].Core == p.Core {
			p.Thr = m.PUs[i-1].Thr + 1
		}
		m.PUs = append(m.PUs, p)
	}
	m.Nodes = upTo(m.PUs[total-1].Node + 1)
	m.Packs = upTo(m.PUs[total-1].Pack + 1)
}

// upTo returns 0..n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// override applies the words with a value.
func (m *Machine) override(values map[string]string) (err error) {
	if n := values["cpuless"]; n != "" {
		if m.cpusLess, err = strconv.Atoi(n); err != nil {
			return err
		}
		m.Nodes = upTo(len(m.Nodes) + m.cpusLess)
	}
	for key, value := range values {
		var list []int
		switch key {
		case "offline", "nodeids", "packids", "memless", "affinity":
			if list, err = parseList(value); err != nil {
				return err
			}
		}
		switch key {
		case "offline":
			for _, c := range list {
				m.PUs[c].Offline = true
			}
		case "nodeids":
			err = replace(&m.Nodes, list, "node")
		case "packids":
			err = replace(&m.Packs, list, "package")
		case "memless":
			m.Memless = list
		case "affinity":
			m.Affinity = list
		case "order", "dist", "quota", "cpuset", "cpuless":
		case "cgroup":
			m.Cgroup = value
		case "cg1":
			m.V1 = true
		case "cg2":
		default:
			err = fmt.Errorf("unknown word %q", key)
		}
		if err != nil {
			return fmt.Errorf("fakesys: %w", err)
		}
	}
	return m.overrideRows(values)
}

// overrideRows applies the words whose values have rows.
func (m *Machine) overrideRows(values map[string]string) error {
	if values["order"] == "cores" {
		m.renumber()
	}
	m.Dist = m.defaultDistances()
	if s := values["dist"]; s != "" {
		m.Dist = nil
		for row := range strings.SplitSeq(s, ";") {
			list, err := parseNumbers(row)
			if err != nil || len(list) != len(m.Nodes) {
				return fmt.Errorf("fakesys: bad row of distances %q", row)
			}
			m.Dist = append(m.Dist, list)
		}
	}
	if s := values["quota"]; s != "" {
		for q := range strings.SplitSeq(s, "|") {
			v, err := strconv.ParseFloat(q, 64)
			if err != nil && q != "max" {
				return fmt.Errorf("fakesys: bad quota %q", q)
			}
			m.Quotas = append(m.Quotas, v)
		}
	}
	if s := values["cpuset"]; s != "" {
		for l := range strings.SplitSeq(s, "|") {
			list, err := parseList(l)
			if err != nil {
				return err
			}
			m.Cpusets = append(m.Cpusets, list)
		}
	}
	return nil
}

// defaultDistances is 10 within a node, 12 within a package, 20 else.
func (m *Machine) defaultDistances() [][]int {
	pack := map[int]int{}
	for _, p := range m.PUs {
		pack[p.Node] = p.Pack
	}
	rows := make([][]int, len(m.Nodes))
	for i := range rows {
		for j := range rows {
			d := 20
			pi, oki := pack[i]
			pj, okj := pack[j]
			switch {
			case i == j:
				d = 10
			case oki && okj && pi == pj:
				d = 12
			}
			rows[i] = append(rows[i], d)
		}
	}
	return rows
}

// renumber gives the first threads of all cores the first numbers.
func (m *Machine) renumber() {
	slices.SortStableFunc(m.PUs, func(a, b PU) int { return a.Thr - b.Thr })
	for i := range m.PUs {
		m.PUs[i].CPU = i
	}
}

// replace puts ids in place of as many others.
func replace(old *[]int, ids []int, what string) error {
	if len(ids) != len(*old) {
		return fmt.Errorf("%d %s ids for %d of them", len(ids), what, len(*old))
	}
	*old = ids
	return nil
}

// parseNumbers reads "1,2,3".
func parseNumbers(s string) ([]int, error) {
	var list []int
	for f := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, fmt.Errorf("fakesys: bad number in %q", s)
		}
		list = append(list, n)
	}
	return list, nil
}

// parseList reads "0-3,8" in the order given.
func parseList(s string) ([]int, error) {
	list := []int{}
	if s == "" {
		return list, nil
	}
	for f := range strings.SplitSeq(s, ",") {
		from, to, ranged := strings.Cut(f, "-")
		a, err := strconv.Atoi(from)
		b := a
		if err == nil && ranged {
			b, err = strconv.Atoi(to)
		}
		if err != nil {
			return nil, fmt.Errorf("fakesys: bad list %q", s)
		}
		for ; a <= b; a++ {
			list = append(list, a)
		}
	}
	return list, nil
}

// Named reports whether the description names a level.
func (m *Machine) Named(level string) bool { return m.levels[level] }
