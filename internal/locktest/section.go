// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/turnstile-go/turnstile/internal/race"
)

// section is what a lock guards in a check. Its plain counter loses counts when two
// goroutines are inside, and shows the race detector what the lock orders; its atomic
// ones see the intruder at once.
type section struct {
	r       *run
	inside  gauge
	sharing gauge
	count   int // guarded by the lock under test
}

// gauge is an atomic counter that the race detector does not see: it would take it for
// the ordering that the lock under test owes.
type gauge struct{ n atomic.Int32 }

func (g *gauge) add(d int32) int32 {
	race.Disable()
	n := g.n.Add(d)
	race.Enable()
	return n
}

func (r *run) section() *section { return &section{r: r} }

// write is the body of an exclusive section.
func (s *section) write() {
	if n := s.inside.add(1); n != 1 {
		s.r.Errorf("%d goroutines in one exclusive section", n)
	}
	if n := s.sharing.add(0); n != 0 {
		s.r.Errorf("%d readers beside a writer", n)
	}
	if s.r.plain {
		s.count++
	}
	s.inside.add(-1)
}

// linger is write that gives others a chance to intrude.
func (s *section) linger() {
	s.write()
	s.inside.add(1)
	runtime.Gosched()
	s.inside.add(-1)
}

// writeOrLinger lingers in one round of 16.
func (s *section) writeOrLinger(i int) {
	if i%16 == 0 {
		s.linger()
	} else {
		s.write()
	}
}

// read is the body of a shared section.
func (s *section) read() int {
	s.sharing.add(1)
	if n := s.inside.add(0); n != 0 {
		s.r.Errorf("%d writers beside a reader", n)
	}
	n := 0
	if s.r.plain {
		n = s.count
	}
	s.sharing.add(-1)
	return n
}

// counted checks, with all goroutines gone, that no section was lost.
func (s *section) counted(want int) {
	if s.r.plain && s.count != want {
		s.r.Errorf("counted %d sections, want %d", s.count, want)
	}
}

// hammer locks l from goroutines many goroutines, rounds times each.
func (r *run) hammer(l sync.Locker, goroutines, rounds int) {
	s := r.section()
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := range rounds {
				l.Lock()
				s.writeOrLinger(i + g)
				l.Unlock()
			}
		})
	}
	wg.Wait()
	s.counted(goroutines * rounds)
}

// procs sets GOMAXPROCS and returns a function that restores it.
func procs(n int) (restore func()) {
	old := runtime.GOMAXPROCS(n)
	return func() { runtime.GOMAXPROCS(old) }
}
