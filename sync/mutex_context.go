// SPDX-License-Identifier: BSD-3-Clause

package sync

import "context"

// LockContext locks m, or gives up when ctx ends: it then returns an error that matches
// both ctx.Err() and context.Cause(ctx), and m is as if it had not been called. It takes
// an unlocked m even if ctx has ended, and keeps a lock that was handed to it before ctx
// ended. A nil ctx panics. The standard Mutex has no such method.
func (m *Mutex) LockContext(ctx context.Context) error { return m.mu.LockContext(ctx) }
