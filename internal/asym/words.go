// SPDX-License-Identifier: BSD-3-Clause

package asym

import (
	"sync/atomic"
	"unsafe"
)

// The values of the process-wide mode.
const (
	Symmetric  = 0 // every release is fenced
	Asymmetric = 1 // a release is a plain store, and who must see it calls Barrier
	Leaving    = 2 // releases are fenced again, older ones may not be yet: still Barrier
)

// Words are the two words of a lock whose release may be a plain store. The zero value
// is a free lock that nobody waits for.
//
//	Locked  Ctl   meaning
//	0       0     free
//	1       0     held, a release need not look any further
//	1       != 0  held, a release must go the slow path
//	0       != 0  free, and the slow path of the release that freed it is still to come
type Words struct {
	Locked atomic.Uint32 // 1 = held; at offset 0, where programs in the wild look for it
	Ctl    atomic.Uint32 // the lock's own: 0 = nobody sleeps and the lock is not fenced
}

// Held reports whether a release of w is legitimate, as far as can be seen. A false
// answer is misuse, and the caller must not release.
func Held(w *Words) bool { return plain(w) == 1 }

// plain reads Locked as its holder may: without an atomic, so that the compiler is free
// to compare in memory.
func plain(w *Words) uint32 { return *(*uint32)(unsafe.Pointer(&w.Locked)) }

// Fence is the head of the slow path of a release: a full fence between the store of
// Locked and the read of Ctl that it returns. It is a read-modify-write that adds
// nothing, of a line that the release has just written.
func Fence(w *Words) (ctl uint32) { return w.Ctl.Add(0) } // edge B: removing the "useless" add loses a wake-up
