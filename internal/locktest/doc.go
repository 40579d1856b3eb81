// SPDX-License-Identifier: BSD-3-Clause

// Package locktest is the one test harness for all locks of this module.
//
// # What
//
// A lock joins with one row, a Lock: how to make one, and what it promises. Test runs
// every check that applies, Bench every benchmark:
//
//	var row = locktest.Lock{
//		Name:    "turnstile",
//		New:     func() sync.Locker { return new(Mutex) },
//		TryLock: true,
//		Waiters: func(l sync.Locker) int { return l.(*Mutex).waiters() },
//		Misuse:  []locktest.Misuse{{Name: "Unlock", Do: func() { new(Mutex).Unlock() }, Want: "fatal error: ..."}},
//	}
//
//	func TestMutex(t *testing.T)      { locktest.Test(t, row) }
//	func BenchmarkMutex(b *testing.B) { locktest.Bench(b, locktest.StdMutex(), row) }
//
// What a row does not promise is not tested, and what a lock has beyond its row is an
// error: a promise left out by mistake would go untested.
//
// # Guarantees
//
// The standard sync.Mutex and sync.RWMutex run as control rows in this package's own
// tests. A check that they fail without having promised the property is a wrong check.
// The tests run broken locks too, one for each kind of check, and see each caught.
//
// Order is proved by waiting for an exact number of waiters, never by sleeping, and no
// check compares times. A check that does not end fails when its watchdog fires; the
// goroutines that are stuck stay behind.
//
// Sections touch plain variables, so that under -race the detector checks what each
// lock orders.
//
// # Environment
//
// TURNSTILE_STRESS multiplies the number of rounds; 1 by default, which takes a second
// or two for a row.
package locktest
