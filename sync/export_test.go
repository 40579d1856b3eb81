// SPDX-License-Identifier: BSD-3-Clause

package sync

// waiters counts the goroutines asleep on m, or about to be.
func (m *Mutex) waiters() int { return int(m.word.load() / mutexSleeper) }
