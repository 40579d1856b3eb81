// SPDX-License-Identifier: BSD-3-Clause

// Package rt is the only package of this module that touches the Go runtime.
//
// # What
//
// A lock needs a few things that Go does not export: to sleep so that the runtime
// knows why, to stay on a P for a moment, to ask whether spinning is worth it. The
// runtime offers them by linkname to packages that ask nicely and breaks those that
// do not. Everything asked for stands in one table, so that a new Go release is one
// file to look at:
//
//	here             runtime symbol                       promised  portable twin
//	SemacquireMutex  sync.runtime_SemacquireRWMutex       no        table of sleepers, by address
//	Semacquire       sync.runtime_Semacquire              yes       the same
//	Semrelease       sync.runtime_Semrelease              yes       the same
//	CanSpin          sync.runtime_canSpin                 yes       fewer than 4 tries and more than one P
//	Pin, Unpin       runtime.procPin, runtime.procUnpin   yes       P 0, nothing is pinned
//	Yield            runtime.goyield                      yes       runtime.Gosched
//	Nanotime         runtime.nanotime                     yes       time.Since of the start
//	Procyield        runtime.procyield                    yes       a loop of loads
//	Cheaprand        runtime.cheaprand                    yes       a counter through SplitMix64
//	Fatal            sync.fatal                           no        print, then a panic nobody can recover
//
// "Promised" means that a comment in the runtime says that the symbol is kept for
// packages outside the standard library. All of them were linked on Go 1.26 and 1.27,
// on every architecture of the gate. sync.runtime_SemacquireMutex and everything under
// internal/sync is closed to us.
//
// # Which file is built
//
// runtime.go with Go 1.26 and 1.27; portable.go with every other release, with the tag
// purego, and with other compilers. Hooks says which, and Note says why. Portable
// locks are correct and slower: sleeping costs an allocation, and profiles show their
// waiters inside this package.
//
// # Guarantees
//
// A semaphore is a uint32 whose address is its identity. An acquire that returns has
// taken one unit that one release gave; units are never lost. A release happens before
// the acquire that takes its unit returns, but the race detector does not see it:
// locks tell it by package race. Nothing here allocates with the runtime hooks.
package rt
