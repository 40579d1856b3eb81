// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Keys that a benchmark's name has without writing them as /key=value.
const (
	NameKey = "benchmark"
	ProcKey = "gomaxprocs"
)

// A rowName is a benchmark's name taken apart: keys in order with their values.
type rowName struct {
	keys, values []string
}

// parseName takes a name apart, leaving the lock out (the projection has starred
// its value). A part that is not key=value becomes part of the benchmark's name.
func parseName(full string) rowName {
	base, parts := benchfmt.Name(full).Parts()
	name := string(base)
	n := rowName{keys: []string{NameKey}, values: []string{""}}
	for _, p := range parts {
		part := string(p)
		if procs, ok := strings.CutPrefix(part, "-"); ok {
			n.keys, n.values = append(n.keys, ProcKey), append(n.values, procs)
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(part, "/"), "=")
		switch {
		case !ok:
			name += part
		case key != "lock":
			n.keys, n.values = append(n.keys, key), append(n.values, value)
		}
	}
	n.values[0] = name
	return n
}

func (n rowName) get(key string) string {
	if i := slices.Index(n.keys, key); i >= 0 {
		return n.values[i]
	}
	return ""
}

// String is the name without the lock, as CSV and JSON show it.
func (n rowName) String() string {
	s := n.values[0]
	for i, k := range n.keys[1:] {
		if k == ProcKey {
			s += "-" + n.values[i+1]
		} else {
			s += "/" + k + "=" + n.values[i+1]
		}
	}
	return s
}

// label gives the rows their key columns. The benchmark's name and GOMAXPROCS are
// columns only where they differ between rows: in most files they do not.
func (t *Table) label(names []rowName) {
	for _, n := range names {
		for _, k := range n.keys {
			if !slices.Contains(t.Keys, k) {
				t.Keys = append(t.Keys, k)
			}
		}
	}
	t.Keys = slices.DeleteFunc(t.Keys, func(k string) bool {
		return (k == NameKey || k == ProcKey) && same(names, k)
	})
	if len(t.Keys) == 0 {
		t.Keys = []string{NameKey}
	}
	for i, n := range names {
		t.Rows[i].Name = n.String()
		for _, k := range t.Keys {
			t.Rows[i].Values = append(t.Rows[i].Values, n.get(k))
		}
	}
}

func same(names []rowName, key string) bool {
	for _, n := range names {
		if n.get(key) != names[0].get(key) {
			return false
		}
	}
	return true
}
