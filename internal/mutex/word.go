// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package mutex

import (
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/asym"
)

func (m *Mutex) locked() uint32 { return m.w.Locked.Load() }
func (m *Mutex) load() ctl      { return ctl(m.w.Ctl.Load()) }

// cas changes ctl.
func (m *Mutex) cas(old, next ctl) bool {
	return m.w.Ctl.CompareAndSwap(uint32(old), uint32(next))
}

// add counts a fenced release. It is the fence between the store of drop and what the
// release then reads.
func (m *Mutex) add() ctl { return ctl(m.w.Ctl.Add(uint32(ctlCount))) } // edge B

// fence is add for a release that has found ctl empty when it looked first.
func (m *Mutex) fence() ctl { return ctl(asym.Fence(&m.w)) } // edge B

// take takes the lock if it is free.
func (m *Mutex) take() bool {
	return m.w.Locked.Load() == 0 && m.w.Locked.CompareAndSwap(0, 1) // edge A
}

// drop frees the lock by a store that add or fence must follow.
func (m *Mutex) drop() {
	if asym.Barriers {
		*(*uint32)(unsafe.Pointer(&m.w.Locked)) = 0 // edge A
	} else {
		m.w.Locked.Store(0) // edge A
	}
}
