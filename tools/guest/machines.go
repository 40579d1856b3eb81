// SPDX-License-Identifier: BSD-3-Clause

package main

import "strings"

// A machine is the part of QEMU's command line that says how many CPUs and nodes there
// are, and how they hang together.
type machine struct {
	shape []string
}

var machines = map[string]machine{
	"plain": {shape: []string{"-m", "1024", "-smp", "2"}},
	// Two packages, each a node with two cores of two threads.
	"numa": {shape: shape("-m 1024 -smp 8,sockets=2,dies=1,cores=2,threads=2 " +
		"-object memory-backend-ram,id=m0,size=512M -object memory-backend-ram,id=m1,size=512M " +
		"-numa node,nodeid=0,cpus=0-3,memdev=m0 -numa node,nodeid=1,cpus=4-7,memdev=m1 -numa dist,src=0,dst=1,val=21")},
	// Node 1 has no memory, node 2 no CPUs; the distances are odd ones.
	"odd": {shape: shape("-m 1024 -smp 4,sockets=2,dies=1,cores=2,threads=1 " +
		"-object memory-backend-ram,id=m0,size=512M -object memory-backend-ram,id=m2,size=512M " +
		"-numa node,nodeid=0,cpus=0-1,memdev=m0 -numa node,nodeid=1,cpus=2-3 -numa node,nodeid=2,memdev=m2 " +
		"-numa dist,src=0,dst=1,val=12 -numa dist,src=0,dst=2,val=30 -numa dist,src=1,dst=2,val=40")},
}

// An emulator is the part that depends on the architecture.
type emulator struct {
	command string
	args    []string
	console string
}

var emulators = map[string]emulator{
	"amd64": {
		command: "qemu-system-x86_64",
		// Plain "max" presents an AMD CPU and drops SMT and dies.
		args:    []string{"-machine", "q35,accel=tcg", "-cpu", "max,vendor=GenuineIntel,level=0x1f"},
		console: "ttyS0",
	},
	"arm64": {
		command: "qemu-system-aarch64",
		args:    []string{"-M", "virt,gic-version=3", "-accel", "tcg", "-cpu", "max"},
		console: "ttyAMA0",
	},
}

func (e emulator) line(m machine, kernel, initrd string) []string {
	line := append([]string{}, e.args...)
	line = append(line, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", "stdio")
	line = append(line, m.shape...)
	return append(line, "-kernel", kernel, "-initrd", initrd, "-append", "console="+e.console+" quiet panic=-1")
}

// shape splits a command line.
func shape(line string) []string { return strings.Fields(line) }
