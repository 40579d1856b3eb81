// SPDX-License-Identifier: BSD-3-Clause

//go:build (amd64 || arm64) && !purego && !race

package spin

// nativeAwait is the bounded wait on the owner word in assembly.
var nativeAwait awaitFunc = await

// acquire is Lock in assembly. It is not what Lock does: drawing the ticket in inlined
// Go and storing the release in assembly measures faster, and acquire stays to be
// measured again. my is room for the ticket, which lockSlow finds there; the caller
// passes 0.
//
//go:noescape
func acquire(t *Ticket, my uint32)

// try is TryLock in assembly; my as in acquire, for tryWrapped.
//
//go:noescape
func try(t *Ticket, my uint32) bool

// release is Unlock in assembly: a plain store on amd64, where Go's atomic store is an
// exchange.
//
//go:noescape
func release(t *Ticket)

// await waits while *owner is seen, at most polls times gap executions of the pause
// instruction, and returns what it read last. Reading another value orders like a
// load-acquire (edge A).
//
//go:noescape
func await(owner *uint32, seen, gap, polls uint32) uint32
