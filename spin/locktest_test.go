// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"sync"
	"testing"

	"github.com/turnstile-go/turnstile/internal/locktest"
	"github.com/turnstile-go/turnstile/internal/race"
)

// row is what a Ticket promises; make returns one whose counters start where it likes.
func row(name string, make func() sync.Locker) locktest.Lock {
	const words = "fatal error: spin: unlock of unlocked Ticket"
	return locktest.Lock{
		Name:    name,
		New:     make,
		Waiters: func(l sync.Locker) int { return int(max(queue(wordsOf(l)), 1) - 1) },
		FIFO:    true,
		TryLock: true,
		Spins:   true,
		Misuse: []locktest.Misuse{
			{Name: "Unlock", Do: func() { make().Unlock() }, Want: words},
			{Name: "Unlock twice", Do: func() {
				l := make()
				l.Lock()
				l.Unlock() //lint:ignore SA2001 only the second Unlock matters
				l.Unlock()
			}, Want: words},
		},
	}
}

// wordsOf returns the two words of any lock here.
func wordsOf(l sync.Locker) *Ticket {
	switch l := l.(type) {
	case *asmTicket:
		return &l.Ticket
	case *goTicket:
		return &l.Ticket
	}
	return l.(*Ticket)
}

func TestTicket(t *testing.T) {
	rows := []locktest.Lock{
		row("ticket", func() sync.Locker { return new(Ticket) }),
		row("ticket before the wrap", func() sync.Locker { return ticketAt(starts["before the wrap"]) }),
		row("ticket-go before the wrap", func() sync.Locker { return &goTicket{*ticketAt(starts["before the wrap"])} }),
	}
	if !race.Enabled { // its Lock tells the detector nothing
		rows = append(rows, row("ticket-asm", func() sync.Locker { return new(asmTicket) }))
	}
	for _, l := range rows {
		t.Run(l.Name, func(t *testing.T) { locktest.Test(t, l) })
	}
}
