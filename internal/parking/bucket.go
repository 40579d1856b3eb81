// SPDX-License-Identifier: BSD-3-Clause

package parking

import (
	"sync/atomic"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/pad"
	"github.com/turnstile-go/turnstile/internal/race"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// A waiter is one sleep. All fields but sema are guarded by the lock of the key's
// bucket while queued is true; after that token and gone belong to the sleeper, who
// reads them once its semaphore has let it pass (edge S).
type waiter struct {
	sema    uint32 // its own: no two waiters share a semaphore
	token   Token
	tag     uint32
	queued  bool
	gone    bool // withdrawn, not woken
	handoff bool // the waker's note to itself between choosing and waking

	key        unsafe.Pointer // also keeps the lock alive, and off every stack
	next, prev *waiter
	since      int64
	leave      func(key unsafe.Pointer, rest Queue)

	// Of the first waiter of a key only:
	tail  *waiter
	len   int
	child [2]*waiter
}

// A bucket holds the queues of the keys that hash to it, as a digital search tree
// (Coffman and Eve 1970, File structures using hashing functions) whose nodes are the
// first waiters: it needs no memory of its own, and a key lies at most 64 - bucketBits
// deep because the hash is a bijection.
type bucket struct {
	held atomic.Uint32
	root *waiter
	_    [pad.CacheLine - 2*unsafe.Sizeof(uintptr(0))]byte
}

const (
	bucketBits = 10
	lockTries  = 8
)

// Note: a fixed table. What grows with the number of sleeping locks is the tree, by
// one level for each doubling; a table that grows would move queues under a lock of
// its own. BenchmarkPark/keys measures it.
var buckets [1 << bucketBits]bucket

// hash is Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4). Objects do
// not move, and a key is never on a stack.
func hash(key unsafe.Pointer) uint64 { return uint64(uintptr(key)) * 0x9e3779b97f4a7c15 }

func bucketOf(key unsafe.Pointer) *bucket { return &buckets[hash(key)>>(64-bucketBits)] }

// lock is tried pinned, so that no holder loses its P while others poll, and waited for
// unpinned, so that nobody holds up a stop of the world by polling.
func (b *bucket) lock() {
	race.Disable() // the queue's own order is not the program's
	for {
		rt.Pin()
		for i := range lockTries {
			if b.held.Load() == 0 && b.held.CompareAndSwap(0, 1) {
				return
			}
			rt.Procyield(uint32(1 << min(i, 4)))
		}
		rt.Unpin()
		rt.Yield()
	}
}

func (b *bucket) unlock() {
	b.held.Store(0)
	rt.Unpin()
	race.Enable()
}

// find is the link to the first waiter of key, or to where it would be.
//
//go:norace
func (b *bucket) find(key unsafe.Pointer) **waiter {
	at, h := &b.root, hash(key)<<bucketBits
	for *at != nil && (*at).key != key {
		at = &(*at).child[h>>63]
		h <<= 1
	}
	return at
}

// push adds w to the queue of its key, last or first.
//
//go:norace
func (b *bucket) push(w *waiter, front bool) {
	at := b.find(w.key)
	head := *at
	w.queued, w.next, w.prev = true, nil, nil
	switch {
	case head == nil:
		w.tail, w.len, w.child = w, 1, [2]*waiter{}
		*at = w
	case front:
		w.tail, w.len, w.child = head.tail, head.len+1, head.child
		head.tail, head.child = nil, [2]*waiter{}
		w.next, head.prev = head, w
		*at = w
	default:
		w.prev, head.tail.next = head.tail, w
		head.tail = w
		head.len++
	}
}

// remove takes w, which is queued, out of the queue of its key.
//
//go:norace
func (b *bucket) remove(w *waiter) {
	at := b.find(w.key)
	head := *at
	switch {
	case w != head:
		w.prev.next = w.next
		if w.next != nil {
			w.next.prev = w.prev
		} else {
			head.tail = w.prev
		}
		head.len--
	case w.next != nil:
		n := w.next
		n.tail, n.len, n.child, n.prev = w.tail, w.len-1, w.child, nil
		*at = n
	default:
		prune(at)
	}
	w.queued, w.next, w.prev, w.tail, w.child = false, nil, nil, nil, [2]*waiter{}
}

// prune takes the node at this link out of the tree. Any leaf below it may take its
// place, for the path to a node leads to all the places below it.
//
//go:norace
func prune(at **waiter) {
	n, leaf := *at, at
	for {
		if c := &(*leaf).child; c[0] != nil {
			leaf = &c[0]
		} else if c[1] != nil {
			leaf = &c[1]
		} else {
			break
		}
	}
	l := *leaf
	*leaf = nil
	if l != n {
		l.child = n.child
		*at = l
	}
}

// head describes the queue of key.
//
//go:norace
func (b *bucket) head(key unsafe.Pointer) (w *waiter, q Queue) {
	if w = *b.find(key); w != nil {
		q = Queue{Len: w.len, Since: w.since, Tag: w.tag}
	}
	return w, q
}
