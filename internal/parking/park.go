// SPDX-License-Identifier: BSD-3-Clause

package parking

import (
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// A Token is what the waker tells the woken; what it means is theirs.
type Token uint32

// A Queue describes the waiters of one key at one instant.
type Queue struct {
	Len   int    // how many, the one described included; 0 = nobody
	Since int64  // since when the described one waits, in rt.Nanotime's terms
	Tag   uint32 // what it passed to Park
}

// A Verdict is a waker's decision about one waiter.
type Verdict uint8

// What can be decided.
const (
	Stay    Verdict = iota // leave it asleep
	Wake                   // wake it
	Handoff                // wake it, and let it run on this P at once while the caller steps back
	Stop                   // of UnparkFilter: leave it and all after it asleep
)

// Options are the parts of a Park that have useful zero values.
type Options struct {
	Tag   uint32 // shown to wakers
	Front bool   // ahead of all others: for one that was woken and has lost again
	Since int64  // since when it waits; 0 = now
	Skip  int    // callers of Park's caller to leave out of profiles' stacks
}

// Park sleeps until somebody wakes key's waiters, if validate still says so. It queues
// the caller and calls validate(key) under the same lock under which wakers choose, so
// that a waker either finds the caller or has changed the lock's word before validate
// reads it. False means that validate said no; nothing has happened then.
//
// validate must be short and may not block, allocate, panic or call this package.
func Park(key unsafe.Pointer, validate func(key unsafe.Pointer) bool, o Options) (Token, bool) {
	w := get()
	if !w.enqueue(key, validate, o) {
		put(w)
		return 0, false
	}
	rt.SemacquireMutex(&w.sema, false, frames(o.Skip)) // edge S
	return w.finish(), true
}

//go:norace
func (w *waiter) enqueue(key unsafe.Pointer, validate func(unsafe.Pointer) bool, o Options) bool {
	w.key, w.tag, w.since = key, o.Tag, o.Since
	if w.since == 0 {
		w.since = rt.Nanotime() // before the lock: a clock may be slow
	}
	b := bucketOf(key)
	b.lock()
	ok := validate(key)
	if ok {
		b.push(w, o.Front)
	}
	b.unlock()
	return ok
}

//go:norace
func (w *waiter) finish() Token {
	t := w.token
	put(w)
	return t
}

// UnparkOne asks choose about the waiter of key that is first in line, with a zero
// Queue if there is none, and does what it says. It reports whether it woke one.
//
// choose runs under the lock under which Park validates: what it does to the lock's
// word is one step with the decision. The rules for validate hold for it.
func UnparkOne(key unsafe.Pointer, choose func(key unsafe.Pointer, q Queue) (Verdict, Token), skip int) bool {
	w, v := pick(key, choose)
	if w == nil {
		return false
	}
	rt.Semrelease(&w.sema, v == Handoff, frames(skip)) // edge S; w is the sleeper's from here on
	return true
}

//go:norace
func pick(key unsafe.Pointer, choose func(unsafe.Pointer, Queue) (Verdict, Token)) (*waiter, Verdict) {
	b := bucketOf(key)
	b.lock()
	w, q := b.head(key)
	v, token := choose(key, q)
	if w != nil && (v == Wake || v == Handoff) {
		b.remove(w)
		w.token = token
	} else {
		w = nil
	}
	b.unlock()
	return w, v
}

// UnparkFilter asks filter about each waiter of key, first in line first, with its own
// Since and Tag and the number of waiters that are still queued, and then calls done,
// which may be nil, with how many it will wake and how many stay. All of that is one
// step as in UnparkOne. Then it wakes them, in the same order; with a Handoff among
// them the caller steps back when it wakes that one.
func UnparkFilter(key unsafe.Pointer, filter func(key unsafe.Pointer, q Queue) (Verdict, Token),
	done func(key unsafe.Pointer, woken, left int), skip int) (woken int) {
	w, n := pickAll(key, filter, done)
	for w != nil {
		next, handoff := w.takeNext()
		rt.Semrelease(&w.sema, handoff, frames(skip)) // edge S
		w = next
	}
	return n
}

//go:norace
func pickAll(key unsafe.Pointer, filter func(unsafe.Pointer, Queue) (Verdict, Token),
	done func(unsafe.Pointer, int, int)) (first *waiter, n int) {
	b := bucketOf(key)
	b.lock()
	w, q := b.head(key)
	left, link := q.Len, &first
	for w != nil {
		next := w.next
		v, token := filter(key, Queue{Len: left, Since: w.since, Tag: w.tag})
		if v == Stop {
			break
		}
		if v != Stay {
			b.remove(w)
			w.token, w.handoff = token, v == Handoff
			*link, link = w, &w.next
			left--
			n++
		}
		w = next
	}
	if done != nil {
		done(key, n, left)
	}
	b.unlock()
	return first, n
}

//go:norace
func (w *waiter) takeNext() (next *waiter, handoff bool) {
	next, handoff = w.next, w.handoff
	w.next, w.handoff = nil, false // before the wake: afterwards w is the sleeper's
	return next, handoff
}

// UnparkAll wakes every waiter of key with token and returns how many there were.
func UnparkAll(key unsafe.Pointer, token Token, skip int) int {
	return UnparkFilter(key, func(unsafe.Pointer, Queue) (Verdict, Token) { return Wake, token }, nil, 1+skip)
}

// Head describes the waiter of key that is first in line. It may be old when it returns.
func Head(key unsafe.Pointer) Queue {
	b := bucketOf(key)
	b.lock()
	_, q := b.head(key)
	b.unlock()
	return q
}

// Len is the exact number of waiters of key at one instant.
func Len(key unsafe.Pointer) int { return Head(key).Len }

// frames is what the runtime is told to leave out of a profile's stack for a caller that
// asks for skip. It ends the program when asked for more than six, four of which are its
// own and this package's.
func frames(skip int) int { return 1 + min(skip, 1) }
