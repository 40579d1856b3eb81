// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/locktest"
)

func row() locktest.Lock {
	const unlocked = "fatal error: sync: unlock of unlocked mutex"
	return locktest.Lock{
		Name:    "turnstile",
		New:     func() Locker { return new(Mutex) },
		Waiters: func(l Locker) int { return l.(*Mutex).waiters() },
		TryLock: true,
		Misuse: []locktest.Misuse{
			{Name: "Unlock", Do: func() { new(Mutex).Unlock() }, Want: unlocked},
			{Name: "Unlock twice", Do: func() {
				m := new(Mutex)
				m.Lock()
				unlock(m)
				unlock(m)
			}, Want: unlocked},
		},
	}
}

//go:noinline
func unlock(m *Mutex) { m.Unlock() }

func TestMutex(t *testing.T) { locktest.Test(t, row()) }

func TestSize(t *testing.T) {
	if got := unsafe.Sizeof(Mutex{}); got != 8 {
		t.Errorf("a Mutex has %d bytes, want 8", got)
	}
	if got := unsafe.Offsetof(Mutex{}.word); got != 0 {
		t.Errorf("the word is at offset %d, want 0", got)
	}
}

// A waiter that slept too long and lost is handed the lock: nobody takes it on the way.
func TestHandoffKeepsOthersOut(t *testing.T) {
	var m Mutex
	m.Lock()
	done := make(chan struct{})
	go func() {
		m.Lock()
		m.Unlock()
		close(done)
	}()
	for m.waiters() != 1 {
		runtime.Gosched()
	}
	// As if the waiter had been woken, had lost and had lost patience.
	for s := m.word.load(); !m.word.cas(s, s|mutexHandoff); s = m.word.load() {
	}
	s := m.word.drop() // Unlock's first step
	if m.TryLock() {
		t.Error("TryLock took a lock that is on its way")
	}
	if s.spins() || s.dropped() != mutexGrant {
		t.Errorf("word %#x after the drop: act %d, want grant", uint32(s), s.dropped())
	}
	m.unlockSlow(s)
	<-done
	if s := m.word.load(); s != 0 {
		t.Errorf("word %#x in the end, want 0", uint32(s))
	}
}
