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
// CPU numbers. [Workers] runs a function in goroutines placed by a [Placement].
//
// # When to choose it
//
// To measure or place work by topology. A program that only wants to know how
// many goroutines to start needs runtime.GOMAXPROCS and nothing from here.
//
// # Guarantees
//
// A topology is never wrong to be more complete: what the kernel does not say,
// or says twice in different ways, is -1, 0 or missing, and Topology.Warnings
// tells what and for which CPUs. Cores, clusters, dies, packages and nodes are
// each disjoint sets of online CPUs. Read never panics, whatever the tree holds.
//
// N1: every CPU is in at most one core, cluster, die, package and node, and the
// sets in Clusters, Packages and Nodes agree with the numbers in CPUs.
//
// N2: Core, Cluster and Die are dense from 0 in order of their lowest CPU.
//
// N3: a Topology is not written after it was made.
//
// A system other than Linux is one node with as many CPUs as the Go runtime
// counts, and Warnings says so.
//
// # State word
//
// None: nothing here is a lock.
//
// # Ordering
//
// Everything done before a call of [Workers] happens before its workers start,
// and everything a worker does happens before Workers returns.
//
// # References
//
// The Linux kernel's Documentation/ABI/stable/sysfs-devices-system-cpu and
// sysfs-devices-node (CPU and node files), admin-guide/cgroup-v2 (cpu.max,
// cpuset.cpus.effective) and admin-guide/cgroup-v1/cpusets.
package numa
