// SPDX-License-Identifier: BSD-3-Clause

//go:build gc && go1.26 && !go1.28 && !purego

package rt

import _ "unsafe" // for linkname

// Hooks names the file that this build uses: "runtime" or "portable".
const Hooks = "runtime"

// Pinned reports whether Pin keeps the goroutine on its P.
const Pinned = true

// SemacquireMutex waits until *s > 0 and takes one unit of it. With lifo it queues
// ahead of those who wait already. The block profile and the runtime's mutex-wait
// metric count the wait, and skip frames above the caller are left out of its stack.
//
// It sleeps as an RWMutex writer does, for Mutex's own entry is closed to other
// packages; both say "sync.(RW)Mutex.Lock" in a goroutine dump and nothing else differs.
//
//go:linkname SemacquireMutex sync.runtime_SemacquireRWMutex
func SemacquireMutex(s *uint32, lifo bool, skip int)

// Semacquire is SemacquireMutex, first come first served, for waits that are not
// contention on a lock: the mutex-wait metric leaves them out.
//
//go:linkname Semacquire sync.runtime_Semacquire
func Semacquire(s *uint32)

// Semrelease gives one unit to *s and wakes one who waits. With handoff the unit goes
// to that goroutine, which runs at once on this P while the caller steps back.
// The mutex profile charges the caller, skip frames up, with the wait that ends.
//
//go:linkname Semrelease sync.runtime_Semrelease
func Semrelease(s *uint32, handoff bool, skip int)

// CanSpin reports whether busy waiting for the i-th time is likely to pay.
//
//go:linkname CanSpin sync.runtime_canSpin
func CanSpin(i int) bool

// Pin keeps the goroutine on its P, and its P from being stopped, until Unpin, and
// returns the number of the P. Between the two nothing may block, allocate much, spin
// or panic.
//
//go:linkname Pin runtime.procPin
func Pin() int

// Unpin ends Pin.
//
//go:linkname Unpin runtime.procUnpin
func Unpin()

// Yield lets other goroutines of this P run first. Unlike runtime.Gosched it leaves
// the caller on this P's own queue.
//
//go:linkname Yield runtime.goyield
func Yield()

// Nanotime is the monotonic clock in nanoseconds.
//
//go:linkname Nanotime runtime.nanotime
func Nanotime() int64

// Procyield relaxes the CPU for n rounds. A round is one PAUSE on amd64, about a
// nanosecond on arm64, nothing on some architectures.
//
//go:linkname Procyield runtime.procyield
func Procyield(n uint32)

// Cheaprand is a fast random number, not for secrets.
//
//go:linkname Cheaprand runtime.cheaprand
func Cheaprand() uint32

//go:linkname fatal sync.fatal
func fatal(string)

// Fatal ends the program with "fatal error: " and msg. It cannot be recovered: it is
// for callers that have lost a lock's state.
func Fatal(msg string) { fatal(msg) }

// Note says in one line why this file was built.
func Note() string { return "runtime hooks" }
