// SPDX-License-Identifier: BSD-3-Clause

package numa

// Pin keeps the calling goroutine on the given CPUs: it locks the goroutine to
// its thread, as runtime.LockOSThread does, and narrows the thread's mask.
// It is all of the set or nothing: if any CPU of it cannot be had, Pin fails,
// the error says which and why (and matches the kernel's EINVAL), and nothing
// has changed. Systems that cannot pin give an error that matches
// errors.ErrUnsupported.
//
// restore puts the mask back and unlocks the thread. It must run on the same
// goroutine, once. Pins of one goroutine may be nested, also on equal sets, and
// must be restored innermost first: a restore whose turn has not come fails,
// changes nothing, and works when it is called again in its turn.
//
// If restore fails the goroutine stays locked, so that no narrowed thread goes
// back to the scheduler: where there is no other way on, let the goroutine end,
// which ends the thread.
//
// Threads that the runtime starts meanwhile do not inherit the narrow mask.
func Pin(set CPUSet) (restore func() error, err error) { return pin(set) }
