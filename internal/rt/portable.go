// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gc && go1.26 && !go1.28) || purego

package rt

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/race"
)

// Hooks names the file that this build uses: "runtime" or "portable".
const Hooks = "portable"

// Pinned reports whether Pin keeps the goroutine on its P.
const Pinned = false

// A sleeper waits for one unit of the semaphore at s, by locking a mutex that is locked
// already: whoever grants the unit unlocks it. A channel would not do. One made inside a
// testing/synctest bubble must not be touched from outside, and a goroutine of the
// bubble that waits for it lets the bubble's clock run on.
type sleeper struct {
	s     *uint32
	grant sync.Mutex
	next  *sleeper
}

// A root holds the sleepers of the semaphores that hash to it, in waking order, and
// guards their words.
type root struct {
	mu   sync.Mutex
	head *sleeper
}

// roots is prime, so that words at a regular distance spread.
var roots [251]root

func rootOf(s *uint32) *root {
	return &roots[(uintptr(unsafe.Pointer(s))>>3)%uintptr(len(roots))]
}

// SemacquireMutex waits until *s > 0 and takes one unit of it. With lifo it queues
// ahead of those who wait already.
//
// As with the runtime's semaphores the race detector sees nothing of it: neither the
// mutexes, which would order more than a lock means to, nor what they guard.
//
//go:norace
func SemacquireMutex(s *uint32, lifo bool, skip int) {
	race.Disable()
	defer race.Enable()
	r := rootOf(s)
	r.mu.Lock()
	if *s > 0 {
		*s--
		r.mu.Unlock()
		return
	}
	me := &sleeper{s: s}
	me.grant.Lock()
	at := &r.head
	for !lifo && *at != nil {
		at = &(*at).next
	}
	me.next, *at = *at, me
	r.mu.Unlock()
	me.grant.Lock()
}

// Semacquire is SemacquireMutex, first come first served.
func Semacquire(s *uint32) { SemacquireMutex(s, false, 0) }

// Semrelease gives one unit to *s and wakes one who waits. With handoff the caller
// steps back for it.
//
//go:norace
func Semrelease(s *uint32, handoff bool, skip int) {
	race.Disable()
	defer race.Enable()
	r := rootOf(s)
	r.mu.Lock()
	at := &r.head
	for *at != nil && (*at).s != s {
		at = &(*at).next
	}
	w := *at
	if w == nil {
		*s++
		r.mu.Unlock()
		return
	}
	*at = w.next // the unit goes to w without passing through *s: nobody can take it in between
	r.mu.Unlock()
	w.grant.Unlock()
	if handoff {
		runtime.Gosched()
	}
}

// CanSpin reports whether busy waiting for the i-th time is likely to pay.
func CanSpin(i int) bool { return i < 4 && runtime.GOMAXPROCS(0) > 1 && runtime.NumCPU() > 1 }

// Pin returns 0: without the runtime's help nothing is pinned.
func Pin() int { return 0 }

// Unpin ends Pin.
func Unpin() {}

// Yield lets other goroutines run first.
func Yield() { runtime.Gosched() }

var start = time.Now()

// Nanotime is the monotonic clock in nanoseconds.
func Nanotime() int64 { return int64(time.Since(start)) }

var relaxed atomic.Uint32

// Procyield relaxes for n rounds, each one load of a line that nobody writes.
func Procyield(n uint32) {
	for ; n > 0; n-- {
		relaxed.Load()
	}
}

var seed atomic.Uint64

// Cheaprand is a fast random number, not for secrets: SplitMix64 (Steele, Lea and
// Flood 2014, Fast Splittable Pseudorandom Number Generators) over a shared counter.
func Cheaprand() uint32 {
	z := seed.Add(0x9e3779b97f4a7c15)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32(z >> 32)
}

// Fatal ends the program with "fatal error: " and msg. A panic in a goroutine of its
// own is the one thing in portable Go that no caller can recover.
func Fatal(msg string) {
	buf := make([]byte, 16<<10)
	buf = buf[:runtime.Stack(buf, false)]
	print("fatal error: ", msg, "\n\n", string(buf), "\n")
	go panic(msg)
	select {}
}

// Note says in one line why this file was built.
func Note() string {
	if purego {
		return "portable: built with the tag purego"
	}
	return "portable: the runtime hooks were not tested with " + runtime.Version() + " (" + runtime.Compiler + ")"
}
