// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// asmTicket is a Ticket whose Lock is all assembly: the variant that was not chosen.
type asmTicket struct{ Ticket }

func (t *asmTicket) Lock() { acquire(&t.Ticket, 0) }

// goTicket is a Ticket without assembly: what the assembly release is worth.
type goTicket struct{ Ticket }

func (t *goTicket) Lock()   { acquireGo(&t.Ticket, 0) }
func (t *goTicket) Unlock() { releaseGo(&t.Ticket) }

// BenchmarkTicketPair is an uncontended Lock and Unlock. Each loop is written out, for a
// call through an interface costs as much as what is compared.
func BenchmarkTicketPair(b *testing.B) {
	b.Run("lock=std", func(b *testing.B) {
		var l sync.Mutex
		for b.Loop() {
			l.Lock()
			l.Unlock() //lint:ignore SA2001 the pair alone is measured
		}
	})
	b.Run("lock=ticket", func(b *testing.B) {
		l := new(Ticket)
		for b.Loop() {
			l.Lock()
			l.Unlock() //lint:ignore SA2001 the pair alone is measured
		}
	})
	b.Run("lock=ticket-asm", func(b *testing.B) {
		l := new(asmTicket)
		for b.Loop() {
			l.Lock()
			l.Unlock() //lint:ignore SA2001 the pair alone is measured
		}
	})
	b.Run("lock=ticket-go", func(b *testing.B) {
		l := new(goTicket)
		for b.Loop() {
			l.Lock()
			l.Unlock() //lint:ignore SA2001 the pair alone is measured
		}
	})
}

// BenchmarkTicketTry is an uncontended TryLock and Unlock.
func BenchmarkTicketTry(b *testing.B) {
	b.Run("lock=std", func(b *testing.B) {
		var l sync.Mutex
		for b.Loop() {
			if l.TryLock() {
				l.Unlock()
			}
		}
	})
	b.Run("lock=ticket", func(b *testing.B) {
		l := new(Ticket)
		for b.Loop() {
			if l.TryLock() {
				l.Unlock()
			}
		}
	})
	b.Run("lock=ticket-go", func(b *testing.B) {
		l := new(goTicket)
		for b.Loop() {
			if tryGo(&l.Ticket, 0) {
				l.Unlock()
			}
		}
	})
}

// BenchmarkTicketContended shares one lock among goroutines that do nothing else: the
// worst case of every lock, and not what a Ticket is for beyond the number of CPUs.
func BenchmarkTicketContended(b *testing.B) {
	locks := []struct {
		name string
		make func() sync.Locker
	}{
		{"std", func() sync.Locker { return new(sync.Mutex) }},
		{"ticket", func() sync.Locker { return new(Ticket) }},
		{"ticket-asm", func() sync.Locker { return new(asmTicket) }},
	}
	Features() // calibrated before the clock runs
	for _, hold := range []time.Duration{0, 50} {
		for _, n := range []int{2, 4, 16} {
			for _, l := range locks {
				b.Run(fmt.Sprintf("lock=%s/goroutines=%d/hold=%v", l.name, n, hold), func(b *testing.B) {
					share(l.make(), n, b.N, hold)
				})
			}
		}
	}
}

// share takes l rounds times in all.
func share(l sync.Locker, goroutines, rounds int, hold time.Duration) {
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := g; i < rounds; i += goroutines {
				l.Lock()
				Delay(hold)
				l.Unlock()
			}
		})
	}
	wg.Wait()
}

func BenchmarkDelay(b *testing.B) {
	Features()
	for _, d := range []time.Duration{50, 500, 5000} {
		b.Run(fmt.Sprintf("d=%v", d), func(b *testing.B) {
			for b.Loop() {
				Delay(d)
			}
		})
	}
}
