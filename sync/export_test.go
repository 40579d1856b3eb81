// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/parking"
)

// waiters counts the goroutines asleep on m, or about to be.
func (m *Mutex) waiters() int { return parking.Len(unsafe.Pointer(m)) }
