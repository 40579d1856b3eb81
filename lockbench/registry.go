// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Lock is a lock by name: New makes one for each run.
type Lock struct {
	Name string
	New  func() sync.Locker
}

// registry holds the locks of this process.
var registry = struct {
	sync.Mutex
	builtin, user []Lock // user guarded by Mutex, builtin never written
}{builtin: builtinLocks}

// lockName is what can stand in a benchmark name and be read back from it.
var (
	lockName   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)
	readAsProc = regexp.MustCompile(`-[0-9]+$`)
)

// Register gives a lock a name and makes it join every suite of this process.
// It is meant for init functions and panics when the name is taken or cannot
// stand in a benchmark name, and when make is nil.
func Register(name string, make func() sync.Locker) {
	if err := checkLock(name, make); err != nil {
		panic(err.Error())
	}
	registry.Lock()
	defer registry.Unlock()
	for _, l := range slices.Concat(registry.builtin, registry.user) {
		if l.Name == name {
			panic(fmt.Sprintf("lockbench: lock %q is registered already", name))
		}
	}
	registry.user = append(registry.user, Lock{name, make})
}

// checkLock returns what is wrong with a lock to be benched.
func checkLock(name string, make func() sync.Locker) error {
	if !lockName.MatchString(name) {
		return fmt.Errorf("lockbench: lock name %q, want letters, digits and . _ + -", name)
	}
	if readAsProc.MatchString(name) {
		return fmt.Errorf("lockbench: lock name %q ends in a hyphen and digits, which readers take for a GOMAXPROCS", name)
	}
	if make == nil {
		return fmt.Errorf("lockbench: lock %q has no constructor", name)
	}
	return nil
}

// Locks returns the locks of the given names in that order, and without names
// those a suite runs by default: std, turnstile and the registered ones. The
// error for an unknown name lists the known ones.
func Locks(names ...string) ([]Lock, error) {
	if len(names) == 0 {
		names = withRegistered(nil)
	}
	known := map[string]Lock{}
	for _, l := range allLocks() {
		known[l.Name] = l
	}
	var locks []Lock
	for _, name := range names {
		l, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("lockbench: unknown lock %q, known are %s", name, strings.Join(LockNames(), ", "))
		}
		locks = append(locks, l)
	}
	return locks, nil
}

// LockNames returns the names of the built-in and registered locks, std first.
func LockNames() []string {
	var names []string
	for _, l := range allLocks() {
		names = append(names, l.Name)
	}
	return names
}

// withRegistered adds the registered locks to the names given, or to the default
// ones when there are none.
func withRegistered(names []string) []string {
	if names == nil {
		names = defaultLocks
	}
	registry.Lock()
	defer registry.Unlock()
	names = slices.Clone(names)
	for _, l := range registry.user {
		names = append(names, l.Name)
	}
	return names
}

// allLocks returns a copy of the registry.
func allLocks() []Lock {
	registry.Lock()
	defer registry.Unlock()
	return slices.Concat(registry.builtin, registry.user)
}
