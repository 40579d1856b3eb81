// SPDX-License-Identifier: BSD-3-Clause

// Guest runs a test binary inside an emulated machine, so that a test sees a kernel,
// an instruction set or a topology that the host does not have:
//
//	go build -o /tmp/guest ./tools/guest
//	GOARCH=386 CGO_ENABLED=0 go test -exec '/tmp/guest -kernel vmlinuz' ./internal/rt
//
// It builds an initramfs from the binary, the files of its package folder and a small
// init program, boots the kernel under QEMU's plain emulation, relays what the test
// prints over the serial line, and ends with the test's exit status. A guest shows
// structure and logic. It never shows what anything costs.
//
// It needs qemu-system-x86_64 or qemu-system-aarch64, the go command, and a Linux
// kernel with an initramfs, a serial console and devtmpfs built in, such as Debian's
// linux-image-cloud-amd64 (the file boot/vmlinuz-* of the package).
package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

func main() {
	machine := flag.String("machine", "plain", "machine to boot: "+strings.Join(machineNames(), ", "))
	kernel := flag.String("kernel", os.Getenv("TURNSTILE_GUEST_KERNEL"), "kernel `file` to boot (default $TURNSTILE_GUEST_KERNEL)")
	timeout := flag.Duration("timeout", 5*time.Minute, "power the guest off after this long")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: guest [flags] TESTBINARY [ARG...]\n\nRuns a Linux test binary in an emulated machine; meant for go test -exec.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	code, err := run(*machine, *kernel, *timeout, flag.Arg(0), flag.Args()[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "guest:", err)
		os.Exit(2)
	}
	os.Exit(code)
}

// A job is what init finds in /guest.json.
type job struct {
	Args []string
	Env  []string
}

func run(machine, kernel string, timeout time.Duration, binary string, args []string) (int, error) {
	m, ok := machines[machine]
	if !ok {
		return 0, fmt.Errorf("no machine %q; known: %s", machine, strings.Join(machineNames(), ", "))
	}
	if kernel == "" {
		return 0, errors.New("no kernel: name one with -kernel or TURNSTILE_GUEST_KERNEL")
	}
	if _, err := os.Stat(kernel); err != nil {
		return 0, fmt.Errorf("kernel: %w", err)
	}
	arch, err := guestArch(binary)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "guest")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	initrd := filepath.Join(dir, "initrd")
	if err := writeInitrd(initrd, dir, arch, binary, args); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	e := emulators[arch]
	cmd := exec.CommandContext(ctx, e.command, e.line(m, kernel, initrd)...)
	out := &relay{to: os.Stdout, exit: -1}
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	err = cmd.Run()
	out.flush()
	if out.exit >= 0 {
		return out.exit, nil
	}
	if ctx.Err() != nil {
		return 0, fmt.Errorf("%s did not finish within %v; raise -timeout", filepath.Base(binary), timeout)
	}
	return 0, fmt.Errorf("the guest ended without a result (%v); its console said:\n%s", err, out.boot.String())
}

// guestArch names the architecture of the kernel that can run the binary.
func guestArch(binary string) (string, error) {
	f, err := elf.Open(binary)
	if err != nil {
		return "", fmt.Errorf("%s: not a Linux program: %w", binary, err)
	}
	defer f.Close()
	switch f.Machine {
	case elf.EM_386, elf.EM_X86_64:
		return "amd64", nil
	case elf.EM_AARCH64:
		return "arm64", nil
	}
	return "", fmt.Errorf("%s: no emulator for %v; guests are amd64 (386 too) and arm64", binary, f.Machine)
}

func writeInitrd(path, dir, arch, binary string, args []string) error {
	initProg := filepath.Join(dir, "init")
	build := exec.Command("go", "build", "-o", initProg, "github.com/turnstile-go/turnstile/tools/guest/init")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the guest's init: %w\n%s", err, out)
	}
	var env []string
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "TURNSTILE_") || strings.HasPrefix(v, "GO") {
			env = append(env, v)
		}
	}
	spec, err := json.Marshal(job{Args: args, Env: env})
	if err != nil {
		return err
	}
	var a archive
	for _, d := range []string{"dev", "proc", "sys", "tmp", "pkg"} {
		a.dir(d)
	}
	a.console()
	a.file("guest.json", spec)
	a.hostFile("init", initProg)
	a.hostFile("test", binary)
	a.tree("pkg", ".")
	return a.writeTo(path)
}

// A relay passes on what the test prints and keeps what the kernel says around it.
type relay struct {
	to      io.Writer
	line    bytes.Buffer
	boot    bytes.Buffer
	running bool
	exit    int // the test's exit status, -1 until it is known
}

func (r *relay) Write(p []byte) (int, error) {
	for _, b := range p {
		switch b {
		case '\r':
		case '\n':
			r.flush()
		default:
			r.line.WriteByte(b)
		}
	}
	return len(p), nil
}

// Marks that init prints around the test.
const (
	beginMark = "GUEST-BEGIN"
	exitMark  = "GUEST-EXIT "
)

func (r *relay) flush() {
	line := r.line.String()
	r.line.Reset()
	before, code, ended := strings.Cut(line, exitMark)
	switch {
	case strings.Contains(line, beginMark):
		r.running = true
	case ended && r.running:
		if before != "" {
			fmt.Fprintln(r.to, before)
		}
		r.running = false
		if _, err := fmt.Sscanf(code, "%d", &r.exit); err != nil {
			r.exit = -1
		}
	case r.running:
		fmt.Fprintln(r.to, line)
	default:
		fmt.Fprintln(&r.boot, line)
	}
}

func machineNames() []string {
	names := make([]string, 0, len(machines))
	for n := range machines {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// largest is the size of the largest file taken along from the package folder.
const largest = 8 << 20

// tree adds the files below dir as prefix/..., but for large ones and hidden folders.
func (a *archive) tree(prefix, dir string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name := prefix + "/" + filepath.ToSlash(path)
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			a.dir(name)
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.Size() <= largest {
			a.hostFile(name, path)
		}
		return nil
	})
	if err != nil && a.err == nil {
		a.err = err
	}
}
