// SPDX-License-Identifier: BSD-3-Clause

// Package asym has fences of which one side pays for both.
//
// # What
//
// A lock's release must store "free" and then look whether somebody sleeps. On amd64 a
// store followed by a load of another word may be swapped by the store buffer, so that
// release pays a full fence, a locked instruction, every time, for the sake of sleepers
// that are rarely there. Linux can make every running thread of a process pass a full
// fence on request, with membarrier(2). So here the release is a plain store and two
// loads, and the one who is about to sleep calls Barrier:
//
//	release                            parker
//	store Locked = 0            A      read-modify-write of Ctl: count itself    B'
//	load the mode               D      load the mode
//	load Ctl                           if not Symmetric: Barrier                 C
//	slow path if needed: Fence  B      load Locked, sleep only if it is 1
//
// Either the release's load of Ctl comes after the parker's write, and it goes the slow
// path and wakes; or its store comes before the barrier, and the parker sees it.
//
// # When to choose it
//
// When a cheap operation runs thousands of times for each one that must be seen by it.
// One barrier takes 0.4 microseconds while no other CPU runs this process and about 9
// with one that does, plus about 6 taken from each such CPU; it is worth some 3000
// plain releases.
//
// # Guarantees
//
// A program in which nobody waits pays nothing: no initialisation, no goroutine, no
// system call. The first Contended starts one goroutine that registers with the kernel,
// which takes 5 to 22 ms in a Go process (the kernel waits for a grace period), makes
// one trial call, measures, and turns the mode on. No lock operation waits for it.
//
// The mode goes back to Symmetric at any time, and correctly so, when
//
//   - a barrier fails: EPERM registers once more, in the background; a second EPERM and
//     any other error (a seccomp filter that came later) end it for good;
//   - barriers take more than 1 % of the CPU time of a tenth of a second: after a pause
//     of a second, doubled up to 64 while the return does not last, it comes back with
//     the next waiter;
//   - somebody calls Disable; TURNSTILE_ASYM=off in the environment, read when the first
//     goroutine waits, prevents the start.
//
// The caller whose barrier failed stops the world instead, once: its Barrier still
// returns only when all threads have been fenced. A filter that kills the process
// instead of failing the call is beyond help: use TURNSTILE_ASYM=off there.
//
// Registration belongs to the address space. A child made by fork and exec, as package
// os/exec does, is a new program that starts Symmetric and registers for itself; between
// fork and exec no lock operation runs.
//
// # State word
//
// The mode, one word of the process on a line of its own:
//
//	mode  name        releases are  a parker
//	0     Symmetric   fenced        needs no barrier
//	1     Asymmetric  plain stores  needs one, when it raises Ctl from zero
//	2     Leaving     fenced        needs one: a release that saw 1 may be under way
//
// It goes 0, 1, 2, 0. The way from 2 to 0 passes one barrier, or one stop-the-world.
// Package asym changes it under one small lock (invariants I1 to I3 in control.go).
//
// # Ordering
//
//	A  store of Locked -> acquire of the lock: what the critical section wrote (a plain
//	   store on amd64 is a release; STLR on arm64).
//	B  fence between a release's store of Locked and its load of Ctl: the locked
//	   instruction of a fenced release or of Fence.
//	C  Barrier: the same fence, made by the parker in every thread, between the parker's
//	   write of Ctl and its load of Locked.
//	D  store of Locked before load of the mode before load of Ctl, in program order. A
//	   mode read earlier could say 1 while the process has left that mode and parkers have
//	   stopped calling Barrier; one read after Ctl likewise.
//	E  mode 0 -> 1: a parker that saw 0 has written Ctl before; a release that sees 1
//	   loads Ctl after the mode, and so sees that write. Needs no barrier.
//	F  mode 2 -> 0: stored after the fence, so that a parker that sees 0 has every release
//	   that saw 1 behind it.
//
// The compiler must keep D: a test disassembles what it made. On arm64 a store-release
// followed by a load-acquire (STLR, LDAR, which Go's atomics compile to; not LDAPR) is
// ordered by the architecture: there the cheap release is always on and Barrier does
// nothing. On every other architecture and system, under -race, with the tag purego, and
// with Go releases nobody has looked at, releases are fenced and the mode is always 0.
//
// # References
//
// Linux membarrier(2), Mathieu Desnoyers, 2010 to 2017. Dice, Huang and Yang 2001,
// Asymmetric Dekker synchronization. Gharachorloo and others 1990, Memory consistency and
// event ordering in scalable shared-memory multiprocessors (RCsc).
package asym
