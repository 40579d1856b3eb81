// SPDX-License-Identifier: BSD-3-Clause

//go:build linux

// Init is the first program of a guest: it mounts what a test expects, runs /test in
// /pkg with the arguments of /guest.json, says how it ended and powers off.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	code := 2
	defer func() {
		if p := recover(); p != nil {
			fmt.Println("guest init:", p)
		}
		fmt.Printf("GUEST-EXIT %d\n", code)
		syscall.Sync()
		syscall.Reboot(syscall.LINUX_REBOOT_CMD_POWER_OFF)
	}()
	for _, m := range [][2]string{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"}, {"cgroup2", "/sys/fs/cgroup"}} {
		if err := syscall.Mount(m[0], m[1], m[0], 0, ""); err != nil {
			fmt.Printf("guest init: mounting %s: %v\n", m[1], err)
		}
	}
	fmt.Println("GUEST-BEGIN")
	code = test()
}

func test() int {
	spec, err := os.ReadFile("/guest.json")
	if err != nil {
		panic(err)
	}
	var job struct{ Args, Env []string }
	if err := json.Unmarshal(spec, &job); err != nil {
		panic(err)
	}
	cmd := exec.Command("/test", job.Args...)
	cmd.Dir = "/pkg"
	cmd.Env = append(job.Env, "HOME=/tmp", "TMPDIR=/tmp", "PATH=/")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		panic(err)
	}
	return cmd.ProcessState.ExitCode()
}
