// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/turnstile-go/turnstile/numa"
)

// TestReadNamedPipe reads a tree whose list of CPUs is a real named pipe that
// nobody writes to, by itself and through links, from two kinds of fs.FS.
func TestReadNamedPipe(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "machine", cpuDir)
	if err := os.MkdirAll(filepath.Join(dir, "cpu0"), 0o755); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "online")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip("no named pipe can be made here: ", err)
	}
	below, err := fs.Sub(os.DirFS(root), "machine")
	if err != nil {
		t.Fatal(err)
	}
	for name, fsys := range map[string]fs.FS{"DirFS": os.DirFS(filepath.Join(root, "machine")), "Sub": below} {
		soon(t, func() {
			top, err := numa.Read(fsys)
			if err != nil {
				t.Error(name, err)
			} else if notes := strings.Join(top.Warnings, "\n"); len(top.CPUs) != 1 || !strings.Contains(notes, "online is a named pipe, not a regular file") {
				t.Errorf("%s: %d CPUs, warnings %q", name, len(top.CPUs), notes)
			}
		})
	}
	// A link to the pipe, and to a device that never ends.
	if err := os.Rename(pipe, pipe+"2"); err != nil {
		t.Fatal(err)
	}
	for target, kind := range map[string]string{pipe + "2": "a named pipe", "/dev/zero": "a device"} {
		os.Remove(pipe) // the link of the round before, if any
		if err := os.Symlink(target, pipe); err != nil {
			t.Fatal(err)
		}
		soon(t, func() {
			top, err := numa.Read(os.DirFS(filepath.Join(root, "machine")))
			if err != nil {
				t.Error(err)
			} else if notes := strings.Join(top.Warnings, "\n"); !strings.Contains(notes, "online is "+kind+", not a regular file") {
				t.Errorf("warnings %q", notes)
			}
		})
	}
}
