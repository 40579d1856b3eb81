// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/klauspost/cpuid/v2"

	"github.com/turnstile-go/turnstile/numa"
)

// machine is where Linux tells about itself. Elsewhere nothing is found there,
// and the keys made from it are left out.
var machine = os.DirFS("/")

// cpuinfo is the first processor's entry in /proc/cpuinfo.
var cpuinfo = sync.OnceValue(func() map[string]string { return readCPUInfo(machine) })

// readCPUInfo reads the "key : value" lines of the first processor.
func readCPUInfo(fsys fs.FS) map[string]string {
	info := map[string]string{}
	first, _, _ := strings.Cut(readText(fsys, "proc/cpuinfo"), "\n\n")
	for line := range strings.Lines(first) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			info[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return info
}

// readText returns a file without the white space around it, empty when there is
// none. The kernel may end it with a NUL.
func readText(fsys fs.FS, name string) string {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return ""
	}
	return strings.Trim(string(text), " \t\n\x00")
}

// cpuName is the CPU's name: where the CPU tells it itself that, as in the output
// of go test, otherwise what the kernel says.
func cpuName() string {
	if name := cpuid.CPU.BrandName; name != "" && name != "unknown" {
		return name
	}
	return cpuinfo()["model name"]
}

// kernelRelease is the running kernel.
func kernelRelease() string { return readText(machine, "proc/sys/kernel/osrelease") }

// virtualisation says what this machine runs in.
func virtualisation() string { return detectVirtualisation(machine, cpuinfo()["flags"]) }

// vendors are the machine vendors that firmware of virtual machines names.
var vendors = []struct{ contains, name string }{
	{"QEMU", "qemu"},
	{"KVM", "kvm"},
	{"Amazon EC2", "ec2"},
	{"Google", "google"},
	{"Microsoft Corporation Virtual Machine", "hyper-v"},
	{"VMware", "vmware"},
	{"innotek", "virtualbox"},
	{"VirtualBox", "virtualbox"},
	{"Xen", "xen"},
	{"Parallels", "parallels"},
	{"Apple Virtualization", "apple"},
}

// detectVirtualisation names the virtual machine, "vm" when it is one without a
// name that we know, "none" when the CPU says it is real, and nothing when
// nothing says either. A container is no machine and is not looked for.
func detectVirtualisation(fsys fs.FS, flags string) string {
	if kind := readText(fsys, "sys/hypervisor/type"); kind != "" {
		return kind
	}
	firmware := readText(fsys, "sys/class/dmi/id/sys_vendor") + " " + readText(fsys, "sys/class/dmi/id/product_name")
	inside := strings.Contains(" "+flags+" ", " hypervisor ")
	if strings.Contains(firmware, ".metal") || flags != "" && !inside {
		return "none"
	}
	for _, v := range vendors {
		if strings.Contains(firmware, v.contains) {
			return v.name
		}
	}
	if inside {
		return "vm"
	}
	return ""
}

// caches lists the sizes of the caches: the core's own as the CPU tells them, the
// shared one as the topology does.
func caches(t *numa.Topology) string {
	var parts []string
	own := cpuid.CPU.Cache
	for _, c := range []struct {
		name  string
		bytes int
	}{{"L1d", own.L1D}, {"L2", own.L2}} {
		if c.bytes > 0 {
			parts = append(parts, c.name+" "+size(uint64(c.bytes)))
		}
	}
	if t != nil && len(t.Clusters) > 0 && t.Clusters[0].Level > 2 && t.Clusters[0].Bytes > 0 {
		c := t.Clusters[0]
		parts = append(parts, fmt.Sprintf("L%d %s for each of %d", c.Level, size(c.Bytes), len(t.Clusters)))
	}
	return strings.Join(parts, ", ")
}

// size writes bytes as "48 KB".
func size(n uint64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
