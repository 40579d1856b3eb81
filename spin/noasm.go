// SPDX-License-Identifier: BSD-3-Clause

//go:build (!amd64 && !arm64) || purego || race

package spin

// nativeAwait is nil: the wait runs in Go.
var nativeAwait awaitFunc

func acquire(t *Ticket, my uint32) { acquireGo(t, my) }

func try(t *Ticket, my uint32) bool { return tryGo(t, my) }

func release(t *Ticket) { releaseGo(t) }
