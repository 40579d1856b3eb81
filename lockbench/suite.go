// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"fmt"
	"strings"
	"time"
)

// A Suite is a set of loads to be measured together, on several locks.
type Suite struct {
	Name, Doc string
	Bench     string // the benchmark its results are named for, such as "BenchmarkGrid"
	Loads     []Load
	Locks     []string      // the locks it runs by default
	Cell      time.Duration // measured time of a sample of one lock under one load
	Samples   int           // of every cell
}

// suites are the built-in ones, each from its own file.
var suites = []Suite{quick, grid}

// Suites returns the built-in suites.
func Suites() []Suite {
	var all []Suite
	for _, s := range suites {
		all = append(all, s.clone())
	}
	return all
}

// SuiteByName returns a built-in suite. The error for an unknown name lists the
// known ones.
func SuiteByName(name string) (Suite, error) {
	var known []string
	for _, s := range suites {
		if s.Name == name {
			return s.clone(), nil
		}
		known = append(known, s.Name)
	}
	return Suite{}, fmt.Errorf("lockbench: unknown suite %q, known are %s", name, strings.Join(known, ", "))
}

// clone returns a suite whose slices the caller may change. A registered lock is
// part of every suite.
func (s Suite) clone() Suite {
	s.Loads = append([]Load(nil), s.Loads...)
	s.Locks = withRegistered(s.Locks)
	return s
}

// check returns what is wrong with a suite, if anything.
func (s Suite) check(locks []Lock) error {
	switch {
	case s.Cell <= 0:
		return fmt.Errorf("lockbench: suite %q measures %v a cell, want more than 0", s.Name, s.Cell)
	case s.Samples < 1:
		return fmt.Errorf("lockbench: suite %q takes %d samples, want 1 or more", s.Name, s.Samples)
	case len(s.Loads) == 0:
		return fmt.Errorf("lockbench: suite %q has no loads, want 1 or more", s.Name)
	case len(locks) == 0:
		return fmt.Errorf("lockbench: suite %q has no locks, want 1 or more", s.Name)
	}
	for _, l := range locks {
		if err := checkLock(l.Name, l.New); err != nil {
			return err
		}
	}
	for _, l := range s.Loads {
		if err := l.check(); err != nil {
			return err
		}
	}
	return nil
}

// cross returns a load for every combination.
func cross(goroutines []int, holds, thinks []time.Duration) []Load {
	var loads []Load
	for _, hold := range holds {
		for _, think := range thinks {
			for _, n := range goroutines {
				loads = append(loads, Load{Goroutines: n, Hold: hold, Think: think})
			}
		}
	}
	return loads
}
