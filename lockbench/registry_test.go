// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// registerForTest registers a lock until the test ends.
func registerForTest(t *testing.T, name string) {
	t.Helper()
	before := registry.user
	t.Cleanup(func() { registry.user = before })
	Register(name, func() sync.Locker { return new(sync.Mutex) })
}

func names(locks []Lock) (n []string) {
	for _, l := range locks {
		n = append(n, l.Name)
	}
	return n
}

func TestKnownLocks(t *testing.T) {
	want := []string{"std", "turnstile", "ticket", "chan", "xsem"}
	if got := LockNames(); !slices.Equal(got, want) {
		t.Errorf("LockNames() = %v, want %v", got, want)
	}
	locks, err := Locks()
	if got := names(locks); err != nil || !slices.Equal(got, []string{"std", "turnstile"}) {
		t.Errorf("Locks() = %v, %v, want std turnstile", got, err)
	}
	locks, err = Locks("xsem", "std")
	if got := names(locks); err != nil || !slices.Equal(got, []string{"xsem", "std"}) {
		t.Errorf("Locks(xsem, std) = %v, %v, want them in that order", got, err)
	}
}

func TestRegisteredLockJoinsEverySuite(t *testing.T) {
	registerForTest(t, "mine")
	for _, s := range Suites() {
		if !slices.Equal(s.Locks, []string{"std", "turnstile", "mine"}) {
			t.Errorf("suite %s has %v, want mine last", s.Name, s.Locks)
		}
	}
	if locks, err := Locks(); err != nil || !slices.Contains(names(locks), "mine") {
		t.Errorf("Locks() = %v, %v, want mine among them", names(locks), err)
	}
	if got := LockNames(); !slices.Contains(got, "mine") {
		t.Errorf("LockNames() = %v, want mine among them", got)
	}
}

func TestUnknownLock(t *testing.T) {
	_, err := Locks("std", "nosuch")
	const want = `lockbench: unknown lock "nosuch", known are std, turnstile, ticket, chan, xsem`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestBadRegistrations(t *testing.T) {
	newLock := func() sync.Locker { return new(sync.Mutex) }
	registerForTest(t, "taken")
	for _, c := range []struct {
		name string
		make func() sync.Locker
		want string
	}{
		{"", newLock, "want letters"},
		{"a/b", newLock, "want letters"},
		{"a=b", newLock, "want letters"},
		{"a b", newLock, "want letters"},
		{"schloß", newLock, "want letters"},
		{"a-2", newLock, "GOMAXPROCS"},
		{"mine", nil, "no constructor"},
		{"std", newLock, "already"},
		{"taken", newLock, "already"},
	} {
		func() {
			defer func() {
				text, _ := recover().(string)
				if !strings.Contains(text, c.want) || strings.Contains(text, "\n") {
					t.Errorf("Register(%q): panic %q, want one line with %q", c.name, text, c.want)
				}
			}()
			Register(c.name, c.make)
		}()
	}
}
