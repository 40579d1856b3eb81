// SPDX-License-Identifier: BSD-3-Clause

package spin

// The transitions of a Ticket, used by the Go bodies and by the explorer of the tests
// alike. Counters wrap, so nothing here compares by size.

// free reports whether a lock with these counters is free.
func free(next, owner uint32) bool { return next == owner }

// distance is the number of tickets that are served before my: 0 for the holder.
func distance(my, owner uint32) uint32 { return my - owner }

// succ is the ticket after t.
func succ(t uint32) uint32 { return t + 1 }
