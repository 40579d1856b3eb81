// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// chanLock is a lock made of a channel: the shortest correct lock with a context.
type chanLock chan struct{}

func newChanLock() sync.Locker { return make(chanLock, 1) }

func (l chanLock) Lock() { l <- struct{}{} }

func (l chanLock) Unlock() {
	select {
	case <-l:
	default:
		rt.Fatal("chanLock: unlock of unlocked lock")
	}
}

func (l chanLock) TryLock() bool {
	select {
	case l <- struct{}{}:
		return true
	default:
		return false
	}
}

func (l chanLock) LockContext(ctx context.Context) error {
	if ctx.Err(); l.TryLock() { // Err panics for nil before anything changes
		return nil
	}
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return gaveUp(ctx)
	}
}

func gaveUp(ctx context.Context) error {
	return fmt.Errorf("gave up: %w (%w)", ctx.Err(), context.Cause(ctx))
}

// queueLock is first come first served, by an explicit queue. Its fields break it, one
// at a time.
type queueLock struct {
	mu    sync.Mutex
	held  bool
	queue []chan struct{} // each gets the lock by being closed
	flaws
}

type flaws struct {
	lifo      bool // serves the last waiter first
	forgets   int  // every so many Unlocks nobody is woken
	greedy    bool // newcomers go ahead of the last waiter
	blindTry  bool // TryLock takes a held lock
	noTry     bool // TryLock never succeeds
	noCause   bool // gives up with ctx.Err() alone
	early     bool // an ended context fails on a free lock
	nilOK     bool // a nil context counts as none
	staysOn   bool // a waiter that gives up stays in the queue
	dropGrant bool // a grant that meets a cancellation is lost
}

func newQueueLock(f flaws) func() sync.Locker {
	return func() sync.Locker { return &queueLock{flaws: f} }
}

func (l *queueLock) enter() (turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held {
		l.held = true
		return nil
	}
	turn = make(chan struct{})
	if l.greedy && len(l.queue) > 0 {
		l.queue = slices.Insert(l.queue, len(l.queue)-1, turn)
		return turn
	}
	l.queue = append(l.queue, turn)
	return turn
}

func (l *queueLock) Lock() {
	if turn := l.enter(); turn != nil {
		<-turn
	}
}

func (l *queueLock) TryLock() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.noTry || l.held && !l.blindTry {
		return false
	}
	l.held = true
	return true
}

func (l *queueLock) Unlock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held && !l.blindTry {
		rt.Fatal("queueLock: unlock of unlocked lock")
	}
	if l.forgets > 0 && len(l.queue) > 0 {
		if l.forgets--; l.forgets == 0 {
			l.held = false
			return
		}
	}
	if len(l.queue) == 0 {
		l.held = false
		return
	}
	i := 0
	if l.lifo {
		i = len(l.queue) - 1
	}
	close(l.queue[i])
	l.queue = slices.Delete(l.queue, i, i+1)
}

func (l *queueLock) LockContext(ctx context.Context) error {
	if ctx == nil && l.nilOK {
		ctx = context.Background()
	}
	if ctx.Err() != nil && l.early {
		return gaveUp(ctx)
	}
	turn := l.enter()
	if turn == nil {
		return nil
	}
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		return l.leave(ctx, turn)
	}
}

func (l *queueLock) leave(ctx context.Context, turn chan struct{}) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.queue, turn)
	switch {
	case i < 0 && !l.dropGrant:
		return nil // the grant won
	case i >= 0 && !l.staysOn:
		l.queue = slices.Delete(l.queue, i, i+1)
	}
	if l.noCause {
		return ctx.Err()
	}
	return gaveUp(ctx)
}

func (l *queueLock) waiters() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue)
}

func queueRow(f flaws) Lock {
	return Lock{
		Name:    "queue",
		New:     newQueueLock(f),
		Waiters: func(l sync.Locker) int { return l.(*queueLock).waiters() },
		FIFO:    true,
		Bypass:  1,
		TryLock: true,
		Context: true,
		Misuse: []Misuse{
			{"Unlock", func() { new(queueLock).Unlock() }, "fatal error: queueLock: unlock of unlocked lock"},
		},
	}
}

func chanRow() Lock {
	return Lock{
		Name:    "chan",
		New:     newChanLock,
		TryLock: true,
		Context: true,
		Misuse: []Misuse{
			{"Unlock", func() { newChanLock().Unlock() }, "fatal error: chanLock: unlock of unlocked lock"},
		},
	}
}

// The control rows and the reference locks are correct: a check that fails here is a
// wrong check.
func TestCorrectLocks(t *testing.T) {
	for _, l := range []Lock{StdMutex(), StdRWMutex(), chanRow(), queueRow(flaws{})} {
		t.Run(l.Name, func(t *testing.T) { Test(t, l) })
	}
}

func BenchmarkControl(b *testing.B) { Bench(b, StdMutex(), StdRWMutex(), chanRow()) }
