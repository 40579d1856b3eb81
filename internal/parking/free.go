// SPDX-License-Identifier: BSD-3-Clause

package parking

import (
	"sync/atomic"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/pad"
	"github.com/turnstile-go/turnstile/internal/race"
	"github.com/turnstile-go/turnstile/internal/rt"
)

const (
	freeBatch = 16
	freeSpare = 1 << 14 // waiters kept for the whole process, about 2 MB; more are garbage
)

// Waiters that nobody uses: a short list for each P, used pinned and therefore without
// atomics, and a long one for goroutines that fall asleep on one P and wake on another.
// A waiter carries no channel and nothing of the goroutine that used it, so that it may
// go from one testing/synctest bubble to another.
var (
	perP [64]struct {
		list freeList
		_    [pad.CacheLine - unsafe.Sizeof(freeList{})]byte
	}
	spare struct {
		held atomic.Uint32
		list freeList // guarded by held
	}
)

type freeList struct {
	first *waiter
	n     int
}

//go:norace
func (l *freeList) pop() *waiter {
	w := l.first
	if w != nil {
		l.first, w.next = w.next, nil
		l.n--
	}
	return w
}

//go:norace
func (l *freeList) push(w *waiter) {
	w.next, l.first = l.first, w
	l.n++
}

// move takes up to n waiters from one list to another.
//
//go:norace
func (l *freeList) move(from *freeList, n int) {
	for ; n > 0 && from.first != nil; n-- {
		l.push(from.pop())
	}
}

// lockSpare gives up at once when somebody else is there: a waiter more or less does
// not matter.
func lockSpare() bool { return spare.held.CompareAndSwap(0, 1) }

//go:norace
func get() *waiter {
	if !rt.Pinned {
		return new(waiter)
	}
	race.Disable()
	var w *waiter
	if p := rt.Pin(); p < len(perP) {
		l := &perP[p].list
		if l.first == nil && spare.list.first != nil && lockSpare() {
			l.move(&spare.list, freeBatch)
			spare.held.Store(0)
		}
		w = l.pop()
	}
	rt.Unpin()
	race.Enable()
	if w == nil {
		w = new(waiter)
	}
	return w
}

//go:norace
func put(w *waiter) {
	w.key = nil // or an idle waiter would keep a lock alive
	if !rt.Pinned {
		return
	}
	race.Disable()
	if p := rt.Pin(); p < len(perP) {
		l := &perP[p].list
		l.push(w)
		if l.n >= 2*freeBatch && lockSpare() {
			if spare.list.n < freeSpare {
				spare.list.move(l, freeBatch)
			}
			spare.held.Store(0)
		}
		if l.n > 4*freeBatch {
			l.pop() // to the garbage collector
		}
	}
	rt.Unpin()
	race.Enable()
}
