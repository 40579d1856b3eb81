// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// A body is one set of the three operations. All of them work on the same words.
type body struct {
	name   string
	lock   func(*Ticket)
	try    func(*Ticket) bool
	unlock func(*Ticket)
}

var bodies = []body{
	{"shipped", (*Ticket).Lock, (*Ticket).TryLock, (*Ticket).Unlock},
	{"arch", func(t *Ticket) { acquire(t, 0) }, func(t *Ticket) bool { return try(t, 0) }, release},
	{"go", func(t *Ticket) { acquireGo(t, 0) }, func(t *Ticket) bool { return tryGo(t, 0) }, releaseGo},
}

// mixed takes each operation from another body.
func mixed() []body {
	all := append([]body(nil), bodies...)
	return append(all,
		body{"arch lock, go unlock", bodies[1].lock, bodies[2].try, bodies[2].unlock},
		body{"go lock, arch unlock", bodies[2].lock, bodies[1].try, bodies[1].unlock})
}

// starts are counter values with which everything is run: new, and about to wrap.
var starts = map[string]uint32{"new": 0, "before the wrap": ^uint32(0) - 2}

func ticketAt(n uint32) *Ticket { return &Ticket{next: n, owner: n} }

// queue is the number of goroutines that hold or await t.
func queue(t *Ticket) uint32 {
	return distance(atomic.LoadUint32(&t.next), atomic.LoadUint32(&t.owner))
}

func waitQueue(t *Ticket, n uint32) {
	for queue(t) != n {
		runtime.Gosched()
	}
}

func eachBody(t *testing.T, f func(t *testing.T, b body, start uint32)) {
	for _, b := range mixed() {
		for at, start := range starts {
			t.Run(b.name+"/"+at, func(t *testing.T) { f(t, b, start) })
		}
	}
}

func TestTicketLayout(t *testing.T) {
	var l Ticket
	if s := unsafe.Sizeof(l); s != 8 {
		t.Errorf("a Ticket has %d bytes, want 8", s)
	}
	if unsafe.Offsetof(l.next) != 0 || unsafe.Offsetof(l.owner) != 4 {
		t.Error("next and owner are not at 0 and 4, as doc.go says")
	}
}

func TestTicketSingle(t *testing.T) {
	eachBody(t, func(t *testing.T, b body, start uint32) {
		l := ticketAt(start)
		words := func(what string, next, owner uint32) {
			t.Helper()
			if l.next != next || l.owner != owner {
				t.Fatalf("%s: next %d owner %d, want %d and %d", what, l.next, l.owner, next, owner)
			}
		}
		for i := start; i != start+6; i++ { // crosses the wrap
			if i%2 == 0 {
				b.lock(l)
			} else if !b.try(l) {
				t.Fatalf("ticket %d: TryLock of a free lock failed", i)
			}
			words("held", i+1, i)
			if b.try(l) {
				t.Fatalf("ticket %d: TryLock of a held lock succeeded", i)
			}
			words("after a failed TryLock", i+1, i)
			b.unlock(l)
			words("released", i+1, i+1)
		}
	})
}

// Each waiter is known to have drawn its ticket before the next one starts.
func TestTicketFIFO(t *testing.T) {
	const n = 8
	eachBody(t, func(t *testing.T, b body, start uint32) {
		l := ticketAt(start)
		b.lock(l)
		var order []int // guarded by l
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				b.lock(l)
				order = append(order, i)
				b.unlock(l)
			})
			waitQueue(l, uint32(i)+2)
		}
		if b.try(l) {
			t.Error("TryLock passed the waiters")
		}
		b.unlock(l)
		wg.Wait()
		for i, got := range order {
			if got != i {
				t.Fatalf("served in order %v", order)
			}
		}
		if len(order) != n || queue(l) != 0 {
			t.Errorf("%d of %d served, queue %d", len(order), n, queue(l))
		}
	})
}

// hammer counts under the lock from many goroutines and returns what is missing.
func hammer(b body, l *Ticket, workers, rounds int) int {
	n := 0 // guarded by l
	want := atomic.Int64{}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				if (i+w)%4 == 0 {
					if !b.try(l) {
						continue
					}
				} else {
					b.lock(l)
				}
				n++
				want.Add(1)
				b.unlock(l)
			}
		})
	}
	wg.Wait()
	return int(want.Load()) - n
}

func TestTicketExcludes(t *testing.T) {
	eachBody(t, func(t *testing.T, b body, start uint32) {
		for _, workers := range []int{2, 3, 32} {
			if lost := hammer(b, ticketAt(start), workers, 6000/workers); lost != 0 {
				t.Errorf("%d workers: %d sections were lost", workers, lost)
			}
		}
	})
}

// Two that do nothing but try meet between the look and the swap some hundred times,
// where two CPUs run them. A TryLock that goes on after a failed swap then either breaks
// the sum or unlocks what is free.
func TestTryLockStorm(t *testing.T) {
	const workers, tries = 2, 100000
	eachBody(t, func(t *testing.T, b body, start uint32) {
		l := ticketAt(start)
		n := uint32(0) // guarded by l
		var ready atomic.Int32
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for ready.Add(1); ready.Load() < workers; {
					runtime.Gosched() // one that starts alone is done before the other comes
				}
				for range tries {
					if b.try(l) {
						n++
						b.unlock(l)
					}
				}
			})
		}
		wg.Wait()
		if l.next != start+n || l.owner != start+n {
			t.Errorf("next %d owner %d after %d sections from %d", l.next, l.owner, n, start)
		}
	})
}

// With one P a waiter that does not yield never sees its turn.
func TestTicketOneP(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, b := range bodies {
		l := new(Ticket)
		b.lock(l)
		done := make(chan int)
		go func() { done <- hammer(b, l, 64, 20) }()
		waitQueue(l, 65) // whoever fails at TryLock comes to its Lock next
		b.unlock(l)
		if lost := <-done; lost != 0 {
			t.Errorf("%s: %d sections were lost", b.name, lost)
		}
	}
}

// A wait that does not return to Go would hold up the collector until the holder, which
// waits for the collector, gives up the lock: a hang.
func TestTicketWaitersLetTheCollectorRun(t *testing.T) {
	for _, b := range bodies {
		l := new(Ticket)
		b.lock(l)
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() { b.lock(l); b.unlock(l) })
			waitQueue(l, uint32(i)+2)
		}
		runtime.GC()
		b.unlock(l)
		wg.Wait()
	}
}

// A ticket drawn on a counter that went round while TryLock looked: the words are put
// as that other goroutines would have left them, since 1<<32 draws take too long.
func TestTryLockWaitsForItsTicketAfterAWrap(t *testing.T) {
	l := &Ticket{next: 8, owner: 6} // 6 holds, 7 waits, and we have drawn 8 too early
	l.next++
	done := make(chan bool)
	go func() { done <- tryWrapped(l, 8) }()
	releaseGo(l)
	releaseGo(l)
	if !<-done || queue(l) != 1 {
		t.Errorf("queue %d, want the lock held", queue(l))
	}
}
