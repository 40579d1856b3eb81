// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package mutex

import "github.com/turnstile-go/turnstile/internal/race"

// The operations of word.go, hidden from the race detector: it would take each for an
// ordering between any two goroutines that touch the lock, and so overlook races of a
// program that, say, fails a TryLock. It is told edge A by name.

func (m *Mutex) locked() uint32 {
	race.Disable()
	defer race.Enable()
	return m.w.Locked.Load()
}

func (m *Mutex) load() ctl {
	race.Disable()
	defer race.Enable()
	return ctl(m.w.Ctl.Load())
}

func (m *Mutex) cas(old, next ctl) bool {
	race.Disable()
	defer race.Enable()
	return m.w.Ctl.CompareAndSwap(uint32(old), uint32(next))
}

func (m *Mutex) add() ctl {
	race.Disable()
	defer race.Enable()
	return ctl(m.w.Ctl.Add(uint32(ctlCount)))
}

func (m *Mutex) fence() ctl {
	race.Disable()
	defer race.Enable()
	return ctl(m.w.Ctl.Add(0))
}

func (m *Mutex) take() bool {
	race.Disable()
	defer race.Enable()
	return m.w.Locked.CompareAndSwap(0, 1)
}

func (m *Mutex) drop() {
	race.Disable()
	defer race.Enable()
	m.w.Locked.Store(0)
}
