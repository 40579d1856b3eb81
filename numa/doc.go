// SPDX-License-Identifier: BSD-3-Clause

// Package numa says how the CPUs and memory of this machine hang together and
// runs work on chosen CPUs.
//
// # What
//
// [Host] reads the topology of this machine and [Read] that of any Linux tree:
// which CPUs are online and allowed, which share a core, a last-level cache (a
// cluster), a die, a package and a memory node, how far the nodes are from each
// other, and how much CPU time the control groups grant. [CPUSet] is a set of
// CPU numbers. [Pin] keeps a goroutine on some CPUs, [Workers] runs a function
// in goroutines placed by a [Placement], and [Current] tells in a few
// nanoseconds where the caller runs.
//
// # When to choose it
//
// To measure or place work by topology. A program that only wants to know how
// many goroutines to start needs runtime.GOMAXPROCS and nothing from here: that
// already counts the control groups' quota.
//
// # Guarantees
//
// What the kernel does not say, or says in ways that contradict each other, is
// -1, 0 or missing in a [Topology], and its Warnings tell what and for which
// CPUs; it is never guessed. Three things are put in the place of an answer,
// with a warning: one node where no nodes are named, one node where all nodes
// list the same CPUs, and as a CPU's cluster its die, package or node where no
// shared cache is named. Read never panics, whatever the tree holds.
//
// N1: every CPU is in at most one core, cluster, die, package and node, and the
// sets in Clusters, Packages and Nodes agree with the numbers in CPUs.
//
// N2: Core, Cluster and Die are dense from 0 in order of their lowest CPU.
//
// N3: a Topology is not written after it was made.
//
// N4: no thread that Pin or Workers narrowed goes back to the Go scheduler
// narrowed: its mask is restored, or the thread ends. (The first thread of a
// process cannot end; the runtime parks it for good instead.)
//
// N5: Current uses an instruction only after its answers agreed with the getcpu
// system call on the first, a middle and the last CPU of the process.
//
// A system other than Linux is one node with as many CPUs as the Go runtime
// counts, and Warnings says so; Pin fails and Current does not know the CPU.
//
// # State word
//
// None: nothing here is a lock.
//
// # Ordering
//
// Everything done before a call of [Workers] happens before its workers start,
// and everything a worker does happens before Workers returns. The calls of
// Current order nothing.
//
// # References
//
// The Linux kernel's Documentation/ABI/stable/sysfs-devices-system-cpu and
// sysfs-devices-node (CPU and node files), admin-guide/cgroup-v2 (cpu.max,
// cpuset.cpus.effective) and admin-guide/cgroup-v1/cpusets; getcpu(2),
// sched_setaffinity(2); Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 2, RDPID, RDTSCP and LSL.
package numa
