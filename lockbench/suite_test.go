// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestGridIsComplete(t *testing.T) {
	g, err := SuiteByName("grid")
	if err != nil || len(g.Loads) != 96 {
		t.Fatalf("grid has %d loads, %v, want 96", len(g.Loads), err)
	}
	q, err := SuiteByName("quick")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range q.Loads {
		if !slices.Contains(g.Loads, l) {
			t.Errorf("quick has %s, which is not of the grid", l.Key())
		}
	}
	if q.Bench != g.Bench {
		t.Errorf("results of quick are named %s, those of grid %s", q.Bench, g.Bench)
	}
}

// TestQuickIsUnderAMinute adds up what a run of quick is meant to take: a cell,
// its warm-up, and as much as 20 ms to start and end it.
func TestQuickIsUnderAMinute(t *testing.T) {
	q, err := SuiteByName("quick")
	if err != nil {
		t.Fatal(err)
	}
	cells := time.Duration(len(q.Loads) * q.Samples * 2)
	if took := cells * (q.Cell + 10*time.Millisecond + 20*time.Millisecond); took > time.Minute {
		t.Errorf("quick is meant to take %v with two locks", took)
	}
	if q.Samples < 10 {
		t.Errorf("quick takes %d samples, want at least 10", q.Samples)
	}
}

func TestUnknownSuite(t *testing.T) {
	_, err := SuiteByName("nosuch")
	if err == nil || err.Error() != `lockbench: unknown suite "nosuch", known are quick, grid` {
		t.Errorf("error %v", err)
	}
}

// tiny is a suite of two loads whose cells take as long as one acquisition.
func tiny() (Suite, []Lock) {
	s := Suite{Name: "tiny", Bench: "BenchmarkGrid", Cell: time.Microsecond, Samples: 3,
		Loads: []Load{{Goroutines: 1}, {Goroutines: 2}}}
	var locks []Lock
	for _, name := range []string{"a", "b", "c"} {
		locks = append(locks, Lock{name, func() sync.Locker { return new(sync.Mutex) }})
	}
	return s, locks
}

func TestLocksTakeTurns(t *testing.T) {
	s, locks := tiny()
	var order []string
	var last Progress
	err := RunSuite(context.Background(), s, locks,
		func(lock Lock, load Load, sample int, r Result) error {
			if r.Ops == 0 || len(r.PerGoroutine) != load.Goroutines {
				t.Errorf("%s under %s: %d acquisitions by %d", lock.Name, load.Key(), r.Ops, len(r.PerGoroutine))
			}
			order = append(order, fmt.Sprint(sample, load.Goroutines, lock.Name))
			return nil
		},
		func(p Progress) {
			if p.Done != last.Done+1 || p.Total != 18 || p.Elapsed < last.Elapsed || p.ETA < 0 {
				t.Errorf("progress %+v after %+v", p, last)
			}
			last = p
		})
	if err != nil {
		t.Fatal(err)
	}
	const want = "0 1a,0 1b,0 1c,0 2b,0 2c,0 2a,1 1b,1 1c,1 1a,1 2c,1 2a,1 2b,2 1c,2 1a,2 1b,2 2a,2 2b,2 2c"
	if got := strings.Join(order, ","); got != want {
		t.Errorf("order\n%s\nwant\n%s", got, want)
	}
	if last.Done != last.Total || last.ETA != 0 || last.Cell != "lock=c/goroutines=2/hold=0/think=0" {
		t.Errorf("last progress %+v", last)
	}
}

func TestCallbacksMayBeNil(t *testing.T) {
	s, locks := tiny()
	if err := RunSuite(context.Background(), s, locks, nil, nil); err != nil {
		t.Error(err)
	}
}

func TestSuiteEndsWithItsReceiver(t *testing.T) {
	s, locks := tiny()
	full := errors.New("disk full")
	calls := 0
	err := RunSuite(context.Background(), s, locks, func(Lock, Load, int, Result) error {
		if calls++; calls == 4 {
			return full
		}
		return nil
	}, nil)
	if err != full || calls != 4 {
		t.Errorf("error %v after %d results, want %v after 4", err, calls, full)
	}
}

func TestSuiteStopsWithinACell(t *testing.T) {
	s, locks := tiny()
	s.Cell = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	stop := &countingLock{at: 100, hook: cancel}
	made := 0
	locks[0].New = func() sync.Locker {
		if made++; made == 2 { // the first one is to warm up
			return stop
		}
		return new(sync.Mutex)
	}
	results := 0
	err := RunSuite(ctx, s, locks, func(Lock, Load, int, Result) error { results++; return nil }, nil)
	if !errors.Is(err, context.Canceled) || results != 0 {
		t.Errorf("error %v after %d results, want Canceled after none", err, results)
	}
	if stop.locks < 100 || stop.locks != stop.unlocks {
		t.Errorf("%d locks, %d unlocks of the lock that was stopped in", stop.locks, stop.unlocks)
	}
}

func TestSuiteCancelledBetweenCells(t *testing.T) {
	s, locks := tiny()
	ctx, cancel := context.WithCancel(context.Background())
	results := 0
	err := RunSuite(ctx, s, locks, func(Lock, Load, int, Result) error {
		if results++; results == 5 {
			cancel()
		}
		return nil
	}, nil)
	if !errors.Is(err, context.Canceled) || results != 5 {
		t.Errorf("error %v after %d results, want Canceled after 5", err, results)
	}
}

func TestBrokenLockIsNamed(t *testing.T) {
	s, locks := tiny()
	locks[0].New = func() sync.Locker { return &countingLock{at: 1, hook: func() { panic("no") }} }
	err := RunSuite(context.Background(), s, locks, nil, nil)
	const want = "lock=a/goroutines=1/hold=0/think=0: lockbench: the lock panicked: no"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestBadSuites(t *testing.T) {
	for want, spoil := range map[string]func(*Suite, *[]Lock){
		`suite "tiny" measures 0s a cell, want more than 0`:  func(s *Suite, _ *[]Lock) { s.Cell = 0 },
		`suite "tiny" measures -1s a cell, want more than 0`: func(s *Suite, _ *[]Lock) { s.Cell = -time.Second },
		`suite "tiny" takes 0 samples, want 1 or more`:       func(s *Suite, _ *[]Lock) { s.Samples = 0 },
		`suite "tiny" has no loads, want 1 or more`:          func(s *Suite, _ *[]Lock) { s.Loads = nil },
		`suite "tiny" has no locks, want 1 or more`:          func(_ *Suite, l *[]Lock) { *l = nil },
		`load has 0 goroutines, want 1 to 1048576`:           func(s *Suite, _ *[]Lock) { s.Loads[1].Goroutines = 0 },
		`lock name "a b", want letters, digits and . _ + -`:  func(_ *Suite, l *[]Lock) { (*l)[2].Name = "a b" },
		`lock "b" has no constructor`:                        func(_ *Suite, l *[]Lock) { (*l)[1].New = nil },
	} {
		s, locks := tiny()
		spoil(&s, &locks)
		err := RunSuite(context.Background(), s, locks, func(Lock, Load, int, Result) error {
			t.Errorf("%s: measured nevertheless", want)
			return nil
		}, nil)
		if err == nil || err.Error() != "lockbench: "+want {
			t.Errorf("error %v, want lockbench: %s", err, want)
		}
	}
}

// late lets nobody in for longer than a cell, the first time it is made.
type late struct {
	sync.Mutex
	wait time.Duration
}

func (l *late) Lock() {
	l.Mutex.Lock()
	time.Sleep(l.wait)
	l.wait = 0
}

// A cell in which nobody got the lock is measured again, and no longer than a few
// times.
func TestCellIsRepeated(t *testing.T) {
	for _, c := range []struct {
		slow, made int
		fails      bool
	}{{1, 2, false}, {1000, cellTries, true}} {
		made := 0
		lock := Lock{"late", func() sync.Locker {
			if made++; made <= c.slow {
				return &late{wait: 200 * time.Millisecond}
			}
			return new(sync.Mutex)
		}}
		_, err := runCell(context.Background(), lock, Load{Goroutines: 1}, 20*time.Millisecond)
		if made < c.made || made > cellTries || (err != nil) != c.fails {
			t.Errorf("%d slow ones: %d runs, error %v; want %d or more", c.slow, made, err, c.made)
		}
	}
}
