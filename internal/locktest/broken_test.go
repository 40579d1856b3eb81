// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/internal/race"
)

// recorder is a T that expects errors.
type recorder struct {
	*testing.T
	mu   sync.Mutex
	errs []string // guarded by mu
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errs = append(r.errs, fmt.Sprintf(format, args...))
}

func (r *recorder) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.errs, "\n")
}

// openLock lets everybody in.
type openLock struct{}

func (openLock) Lock()   {}
func (openLock) Unlock() {}

// heldAfter is a lock that stays locked when a section ends in a certain way.
type heldAfter struct {
	sync.Mutex
	way string // what the stack of Unlock then holds
}

func (l *heldAfter) Unlock() {
	if !strings.Contains(string(debug.Stack()), l.way) {
		l.Mutex.Unlock()
	}
}

// ownedLock is a lock that its own goroutine must unlock.
type ownedLock struct {
	sync.Mutex
	owner string // guarded by Mutex
}

func goroutine() string {
	name, _, _ := strings.Cut(string(debug.Stack()), "[")
	return name
}

func (l *ownedLock) Lock() {
	l.Mutex.Lock()
	l.owner = goroutine()
}

func (l *ownedLock) Unlock() {
	if l.owner == goroutine() {
		l.Mutex.Unlock()
	}
}

// aloneRW is a readers-writer lock whose readers exclude each other.
type aloneRW struct{ sync.Mutex }

func (l *aloneRW) RLock()         { l.Lock() }
func (l *aloneRW) RUnlock()       { l.Unlock() }
func (l *aloneRW) TryRLock() bool { return l.TryLock() }

// looseRW lets readers in beside a writer, and writers wait for no reader.
type looseRW struct{ sync.Mutex }

func (l *looseRW) RLock()         {}
func (l *looseRW) RUnlock()       {}
func (l *looseRW) TryRLock() bool { return true }

func locker[L any, P interface {
	*L
	sync.Locker
}](l L) func() sync.Locker {
	return func() sync.Locker { c := l; return P(&c) }
}

func misuse(do func()) Lock {
	return Lock{Misuse: []Misuse{{"Unlock", do, "fatal error: words"}}}
}

// Each broken lock is caught by the check that is there for it.
func TestBrokenLocksAreCaught(t *testing.T) {
	open := Lock{New: func() sync.Locker { return openLock{} }}
	const stuck = "stuck after"
	for _, c := range []struct {
		flaw  string
		l     Lock
		check string
		want  string // part of the report
	}{
		{"does not exclude", open, "exclusion", "goroutines in one exclusive section"},
		{"does not exclude", open, "procs=1", "goroutines in one exclusive section"},
		{"does not exclude", open, "procs=2", "goroutines in one exclusive section"},
		{"does not exclude", open, "procs=changing", "goroutines in one exclusive section"},
		{"does not exclude", open, "crowd", "goroutines in one exclusive section"},
		{"promises too much", Lock{New: open.New, TryLock: true, Context: true, Readers: true}, "methods", "the lock has it: false"},
		{"promises too little", Lock{New: newChanLock}, "methods", "the lock has it: true"},
		{"never unlocks", Lock{New: locker(heldAfter{way: "goroutine"})}, "alone", stuck},
		{"loses a wake-up", queueRow(flaws{forgets: 100}), "no-lost-wakeup", stuck},
		{"stays locked after a panic", Lock{New: locker(heldAfter{way: "panic("})}, "panic", stuck},
		{"stays locked after Goexit", Lock{New: locker(heldAfter{way: "runtime.Goexit("})}, "goexit", stuck},
		{"wants its owner", Lock{New: locker(ownedLock{})}, "handover", stuck},
		{"last in first out", queueRow(flaws{lifo: true}), "order", "were served in the order"},
		{"lets newcomers in", queueRow(flaws{greedy: true}), "bypass", "went ahead"},
		{"TryLock takes a held lock", queueRow(flaws{blindTry: true}), "try", "TryLock took a held lock"},
		{"TryLock takes a held lock", queueRow(flaws{blindTry: true}), "try-hammer", "goroutines in one exclusive section"},
		{"TryLock never succeeds", queueRow(flaws{noTry: true}), "try", "TryLock failed on a free lock"},
		{"no cause", queueRow(flaws{noCause: true}), "context", "want an error that is both"},
		{"ended context", queueRow(flaws{early: true}), "context", "on a free lock"},
		{"nil context", queueRow(flaws{nilOK: true}), "context", "did not panic"},
		{"stays in the queue", queueRow(flaws{staysOn: true}), "context", stuck},
		{"stays in the queue", queueRow(flaws{staysOn: true}), "context-queue", stuck},
		{"last in first out", queueRow(flaws{lifo: true}), "context-queue", "after cancellations waiters were served"},
		{"drops grants", queueRow(flaws{dropGrant: true}), "context-storm", stuck},
		{"readers exclude each other", Lock{New: locker(aloneRW{})}, "readers", stuck},
		{"readers beside a writer", Lock{New: locker(looseRW{})}, "readers-hammer", "beside a"},
		{"readers exclude each other", Lock{New: locker(aloneRW{})}, "readers-try", "TryRLock failed"},
		{"readers beside a writer", Lock{New: locker(looseRW{})}, "readers-try", "took a lock that readers hold"},
		{"new readers go first", Lock{New: locker(looseRW{})}, "writer-waits", stuck},
		{"misuse survives", misuse(func() {}), "misuse", "the program survived"},
		{"misuse can be recovered", misuse(func() { panic("fatal error: words") }), "misuse", "the program survived"},
		{"misuse has other words", misuse(func() { go panic("other words"); select {} }), "misuse", "the program ended without"},
	} {
		t.Run(c.check+"/"+c.flaw, func(t *testing.T) {
			rec := &recorder{T: t}
			// Long for checks of a few milliseconds. Where the lock hangs, a slow machine
			// makes a short limit fire early, but not the test fail.
			limit := time.Minute
			if c.want == stuck {
				limit = 100 * time.Millisecond
			}
			// A storm may pass by chance, about one in ten; twenty in a row do not.
			for try := 0; try < 20 && rec.all() == ""; try++ {
				find(t, c.check).on(rec, c.l, limit, !race.Enabled)
			}
			if got := rec.all(); !strings.Contains(got, c.want) {
				t.Errorf("want a report with %q, got:\n%s", c.want, got)
			}
		})
	}
}

func find(t *testing.T, name string) check {
	t.Helper()
	for _, c := range checks {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("no check is called %s", name)
	return check{}
}

func TestOnlyTest(t *testing.T) {
	if got, want := onlyTest("TestA/b=1/c.d"), `^TestA$/^b=1$/^c\.d$`; got != want {
		t.Errorf("onlyTest = %s, want %s", got, want)
	}
}
