// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/internal/fakesys"
	"github.com/turnstile-go/turnstile/numa"
)

// soon fails the test when f takes for ever: a minute, where it needs a second
// at most.
func soon(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("not done after a minute")
	}
}

// watchedFS counts what is opened, and shows one file as something else.
type watchedFS struct {
	*fakesys.FS
	opened map[string]int
	odd    string      // this file
	mode   fs.FileMode // is this
}

func (w *watchedFS) Open(name string) (fs.File, error) {
	w.opened[name]++
	return w.FS.Open(name)
}

// oddInfo is a FileInfo with another mode.
type oddInfo struct {
	fs.FileInfo
	mode fs.FileMode
}

func (i oddInfo) Mode() fs.FileMode { return i.mode }

func (w *watchedFS) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(w.FS, name)
	if err == nil && name == w.odd {
		info = oddInfo{info, w.mode}
	}
	return info, err
}

// TestReadNoDirectories lists CPUs that have no directory: no file of theirs is
// looked for, one warning says so, and the CPUs are there all the same.
func TestReadNoDirectories(t *testing.T) {
	w := &watchedFS{FS: &fakesys.FS{}, opened: map[string]int{}}
	w.Set(cpuDir+"online", "0-4999")
	top, err := numa.Read(w)
	if err != nil {
		t.Fatal(err)
	}
	checkInvariants(t, top)
	if len(top.CPUs) != 5000 {
		t.Errorf("%d CPUs, want 5000", len(top.CPUs))
	}
	for name := range w.opened {
		if strings.HasPrefix(name, cpuDir+"cpu") {
			t.Fatalf("%s was opened", name)
		}
	}
	if n := w.opened[path.Clean(cpuDir)]; n != 1 {
		t.Errorf("the directory of CPUs was read %d times, want once", n)
	}
	about := slices.DeleteFunc(slices.Clone(top.Warnings), func(s string) bool { return !strings.Contains(s, "directory") })
	if len(about) != 1 || !strings.Contains(about[0], "CPUs 0-4999 are listed as online and none has a directory") {
		t.Errorf("warnings about directories are %q, want one", about)
	}
}

// TestReadMoreThanThereIs lists far more CPUs than have a directory. A copy of
// the set for each CPU, which would make the time grow with the square of the
// list, would allocate gigabytes here.
func TestReadMoreThanThereIs(t *testing.T) {
	const listed = 1 << 16
	for cpus, spec := range map[int]string{listed: "", 4: "l3:1 core:4"} {
		tree := &fakesys.FS{}
		if spec != "" {
			tree = fakesys.MustParse(spec).FS()
		}
		tree.Set(cpuDir+"online", fmt.Sprintf("0-%d", listed-1))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		top, err := numa.Read(tree)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if len(top.CPUs) != cpus {
			t.Errorf("%d CPUs, want %d", len(top.CPUs), cpus)
		}
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 500 {
			t.Errorf("%d MB allocated for %d CPUs", used, cpus)
		}
	}
}

// TestParseCPUSetOverlaps repeats ranges and strides very often.
func TestParseCPUSetOverlaps(t *testing.T) {
	for _, c := range []struct {
		item        string
		often, cpus int
	}{
		{"0-1048575", 400_000, 1 << 20}, // one by one, minutes
		{"0-1048575:2/2", 1000, 1 << 20},
		{"1-1048575:1/2", 1000, 1 << 19},
		{"0-1048575:0/1", 1000, 0},
	} {
		soon(t, func() {
			set, err := numa.ParseCPUSet(strings.Repeat(c.item+",", c.often-1) + c.item)
			if err != nil || set.Len() != c.cpus {
				t.Errorf("%s: %d CPUs, %v, want %d", c.item, set.Len(), err, c.cpus)
			}
		})
	}
	var ranges, strides strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&ranges, "%d-%d,", i%1000, numa.MaxCPU-i)
	}
	for i := range 1000 {
		fmt.Fprintf(&strides, "%d-%d:1/2,", i, numa.MaxCPU-i)
	}
	soon(t, func() {
		set, err := numa.ParseCPUSet(ranges.String() + "0")
		if err != nil || set.Len() != numa.MaxCPU+1 {
			t.Errorf("different ranges: %d CPUs, %v", set.Len(), err)
		}
		set, err = numa.ParseCPUSet(strides.String() + "0")
		if err == nil || !strings.Contains(err.Error(), "16777216 runs") || !set.Empty() {
			t.Errorf("different strides: %d CPUs, %v, want an error", set.Len(), err)
		}
	})
}

// TestReadOddFiles puts other things than files in the place of files.
func TestReadOddFiles(t *testing.T) {
	for mode, kind := range map[fs.FileMode]string{
		fs.ModeNamedPipe:                   "a named pipe",
		fs.ModeSocket:                      "a socket",
		fs.ModeDevice:                      "a device",
		fs.ModeDevice | fs.ModeCharDevice:  "a device",
		fs.ModeIrregular:                   "something else",
		fs.ModeNamedPipe | fs.ModeSticky:   "a named pipe",
		fs.ModeSetuid | fs.ModeCharDevice:  "something else",
		fs.ModeNamedPipe | fs.FileMode(06): "a named pipe",
	} {
		online := cpuDir + "online"
		w := &watchedFS{FS: fakesys.MustParse("l3:1 core:4").FS(), opened: map[string]int{}, odd: online, mode: mode}
		top, err := numa.Read(w)
		if err != nil {
			t.Fatal(err)
		}
		checkInvariants(t, top)
		if want := []string{online + " is " + kind + ", not a regular file: not read"}; !slices.Equal(top.Warnings, want) {
			t.Errorf("warnings are %q, want %q", top.Warnings, want)
		}
		if w.opened[online] != 0 {
			t.Errorf("%v was opened", mode)
		}
		if len(top.CPUs) != 4 { // by the directories
			t.Errorf("%d CPUs, want 4", len(top.CPUs))
		}
	}
}

// TestReadDirectoryForFile: a control group may have the name of a file.
func TestReadDirectoryForFile(t *testing.T) {
	tree := fakesys.MustParse("l3:1 core:4 cgroup:/a quota:2").FS()
	tree.Set("sys/fs/cgroup/a/cpus/cpu.max", "max 100000")
	top, err := numa.Read(tree)
	if err != nil || len(top.Warnings) > 0 {
		t.Errorf("got %v, warnings %q", err, top.Warnings)
	}
}

// TestReadOnlyOddFiles has nothing else to go by.
func TestReadOnlyOddFiles(t *testing.T) {
	tree := &fakesys.FS{}
	tree.Set(cpuDir+"online", "0-3")
	w := &watchedFS{FS: tree, opened: map[string]int{}, odd: cpuDir + "online", mode: fs.ModeNamedPipe}
	if top, err := numa.Read(w); !errors.Is(err, numa.ErrNoCPUs) || top != nil {
		t.Errorf("got %v, %v", top, err)
	}
}
