// SPDX-License-Identifier: BSD-3-Clause

package main

// A machine is the part of QEMU's command line that says how many CPUs and nodes there
// are, and how they hang together.
type machine struct {
	shape []string
}

var machines = map[string]machine{
	"plain": {shape: []string{"-m", "1024", "-smp", "2"}},
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
