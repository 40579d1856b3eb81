// SPDX-License-Identifier: BSD-3-Clause

// Package race tells the race detector what a lock orders.
//
// The detector sees Go's atomics but not assembly, and it must not see a lock's own
// words as the program's synchronisation: a lock brackets its internals with Disable
// and Enable and says what it means with Acquire after it is taken and Release before
// it is given up. In a build without -race every function here is empty and Enabled
// is the constant false, so that the calls and the branches around them vanish.
package race
