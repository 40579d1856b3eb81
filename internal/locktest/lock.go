// SPDX-License-Identifier: BSD-3-Clause

package locktest

import (
	"context"
	"sync"
	"unsafe"
)

// Lock is a row: a lock and what it promises.
type Lock struct {
	Name string             // value of the key lock= in benchmark names
	New  func() sync.Locker // an unlocked lock; called once a check or more

	// Waiters returns how many goroutines wait in Lock, LockContext or, if Readers is
	// set, RLock, exactly: one that is counted has its place in the queue. Checks that
	// need it are left out while it is nil.
	Waiters func(sync.Locker) int

	FIFO    bool // waiters get the lock in the order in which Waiters counted them
	Bypass  int  // a waiter at the head of the queue sees at most so many others go first; 0 = not bounded by count
	TryLock bool // has TryLock; it fails only while the lock is held or wanted
	Context bool // has LockContext
	Readers bool // has RLock and RUnlock, and TryRLock if TryLock is set
	Writers bool // a waiting writer stops new readers
	Spins   bool // waiters never sleep: checks run fewer goroutines
	Owned   bool // only the goroutine that locked may unlock

	Misuse []Misuse // each ends the program
}

// Misuse is a wrong use that must end the program with certain words.
type Misuse struct {
	Name string
	Do   func()
	Want string // what standard error contains
}

// TryLocker is a lock that can be tried.
type TryLocker interface {
	sync.Locker
	TryLock() bool
}

// ContextLocker is a lock whose waiters give up when their context ends.
type ContextLocker interface {
	sync.Locker
	LockContext(context.Context) error
}

// RWLocker is a lock that readers share.
type RWLocker interface {
	sync.Locker
	RLock()
	RUnlock()
}

// TryRWLocker is a RWLocker whose reader side can be tried.
type TryRWLocker interface {
	RWLocker
	TryRLock() bool
}

// RContextLocker is a RWLocker whose readers give up when their context ends.
type RContextLocker interface {
	RWLocker
	RLockContext(context.Context) error
}

const unlockOfUnlocked = "fatal error: sync: unlock of unlocked mutex"

// StdMutex is the row of the standard library's Mutex.
func StdMutex() Lock {
	return Lock{
		Name:    "std",
		New:     func() sync.Locker { return new(sync.Mutex) },
		Waiters: stdWaiters,
		TryLock: true,
		Misuse: []Misuse{
			{"Unlock", func() { new(sync.Mutex).Unlock() }, unlockOfUnlocked},
			{"Unlock twice", func() {
				var m sync.Mutex
				m.Lock()
				unlockTwice(&m)
			}, unlockOfUnlocked},
		},
	}
}

// StdRWMutex is the row of the standard library's RWMutex.
func StdRWMutex() Lock {
	return Lock{
		Name:    "std-rw",
		New:     func() sync.Locker { return new(sync.RWMutex) },
		TryLock: true,
		Readers: true,
		Writers: true,
		Misuse: []Misuse{
			{"Unlock", func() { new(sync.RWMutex).Unlock() }, "fatal error: sync: Unlock of unlocked RWMutex"},
			{"RUnlock", func() { new(sync.RWMutex).RUnlock() }, "fatal error: sync: RUnlock of unlocked RWMutex"},
		},
	}
}

func unlockTwice(l sync.Locker) {
	l.Unlock()
	l.Unlock()
}

// stdWaiters reads the number of waiters from the word of a standard Mutex, of which
// the three low bits are flags. If a release of Go changes that, the checks that wait
// for a number of waiters say so by their watchdog, for the control row first.
func stdWaiters(l sync.Locker) int {
	return int(loadInt32((*int32)(unsafe.Pointer(l.(*sync.Mutex)))) >> 3)
}
