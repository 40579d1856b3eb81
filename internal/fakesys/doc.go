// SPDX-License-Identifier: BSD-3-Clause

// Package fakesys makes the /sys and /proc of machines that do not exist, for
// tests of code that reads a machine's topology from a tree.
//
// # What
//
// [Parse] reads a short description such as
//
//	pack:2 numa:2 l3:2 core:4 pu:2 offline:3 dist:10,21;21,10
//
// and [Machine.FS] writes the files a Linux kernel would show on it. [Machine]
// also has the answers, worked out from the description and not from the files,
// for a test to compare with.
//
// # Description
//
// Words separated by spaces. First the levels, from the outside in, each with
// how many there are in one of the level above: pack, die, numa, l3, l2, core
// and pu, in any order in which core comes before pu. A level left out is one,
// except that l3 and l2 left out are caches that are not shared: then every
// core has an L2 of its own and no L3.
//
// Then, in any order:
//
//	order:cores     number the first pu of all cores first, then the second
//	offline:LIST    CPUs that are offline
//	nodeids:N,N     ids of the nodes, cpu-less ones last
//	packids:N,N     ids of the packages
//	cpuless:N       so many more nodes, with memory and no CPUs
//	memless:LIST    nodes, by position, without memory
//	dist:R;R        rows of distances, by position
//	cgroup:PATH     the group of the process, in versions cg1 or cg2 (default)
//	quota:Q|Q       quota in CPUs at each level of PATH from the outside in; max is none
//	cpuset:L|L      cpuset at each level
//	affinity:LIST   mask in proc/self/status
//
// And flags for old and broken trees: masks (no lists and no lists of online
// CPUs and nodes), nonodes, nocaches, nodies, nopackids (-1 everywhere), local0
// (a node's distance to itself is 0), overlap (every node lists every CPU),
// olddist (one column for each id up to the highest), nosets (ids only).
package fakesys
