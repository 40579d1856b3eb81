// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// maxFile bounds what is read of one file: a mountinfo of thousands of mounts
// fits, a file that never ends does not fill memory.
const maxFile = 4 << 20

// A tree reads small kernel files below a root directory and collects what was
// wrong with them. A file that is missing is never an error by itself.
type tree struct {
	fsys     fs.FS
	warnings []string
	seen     map[string]bool  // warnings given
	perCPU   map[string][]int // warnings about single CPUs, told together
	order    []string         // keys of perCPU in order
}

// warn records one warning; a second equal one is dropped.
func (t *tree) warn(format string, args ...any) {
	w := fmt.Sprintf(format, args...)
	if t.seen[w] {
		return
	}
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	t.seen[w] = true
	t.warnings = append(t.warnings, w)
}

// warnCPU records a warning about one CPU. All CPUs of the same text end up in
// one warning "text: CPUs 0-7".
func (t *tree) warnCPU(text string, cpu int) {
	if t.perCPU == nil {
		t.perCPU = map[string][]int{}
	}
	if _, told := t.perCPU[text]; !told {
		t.order = append(t.order, text)
	}
	// No CPUSet yet: its Add copies it, once for each CPU.
	t.perCPU[text] = append(t.perCPU[text], cpu)
}

// allWarnings returns every warning, those about single CPUs joined.
func (t *tree) allWarnings() []string {
	all := t.warnings
	for _, text := range t.order {
		all = append(all, fmt.Sprintf("%s: CPUs %v", text, CPUSetOf(t.perCPU[text]...)))
	}
	return all
}

// text returns a file's content without the white space and NUL bytes around
// it, and whether it could be read.
func (t *tree) text(path string) (string, bool) {
	// Before it is opened: to open a named pipe may wait for ever.
	if !t.readable(path) {
		return "", false
	}
	f, err := t.fsys.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil { // a directory, or a file the kernel refuses to show
		return "", false
	}
	return strings.Trim(string(b), "\x00 \t\r\n"), true
}

// readable reports whether there is a regular file at path, and warns where
// there is something else than that or a directory: a directory is another way
// of not having the file, a control group can be named like one.
func (t *tree) readable(path string) bool {
	// Where the file system has no Stat, fs.Stat opens the file. More have an
	// Lstat, os.DirFS below fs.Sub among them.
	info, err := fs.Lstat(t.fsys, path)
	if err == nil && info.Mode().Type() == fs.ModeSymlink {
		info, err = fs.Stat(t.fsys, path)
	}
	if err != nil || info.IsDir() {
		return false
	}
	if !info.Mode().IsRegular() {
		t.warn("%s is %s, not a regular file: not read", path, kindOf(info.Mode()))
		return false
	}
	return true
}

// kindOf names what is not a regular file.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// number returns the integer in a file.
func (t *tree) number(path string) (int, bool) {
	s, ok := t.text(path)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.warn("%s holds %s, not a number", path, clip(s))
		return 0, false
	}
	return n, true
}

// list returns the CPU list in a file; the kernel never uses strides there.
func (t *tree) list(path string) (CPUSet, bool) {
	s, ok := t.text(path)
	if !ok {
		return CPUSet{}, false
	}
	set, err := ParseCPUSet(s)
	if err != nil {
		t.warn("%s is not readable: %s", path, strings.TrimPrefix(err.Error(), "numa: "))
		return CPUSet{}, false
	}
	return set, true
}

// mask returns the hexadecimal CPU mask in a file.
func (t *tree) mask(path string) (CPUSet, bool) {
	s, ok := t.text(path)
	if !ok {
		return CPUSet{}, false
	}
	set, err := parseMask(s)
	if err != nil {
		t.warn("%s is not readable: %s", path, strings.TrimPrefix(err.Error(), "numa: "))
		return CPUSet{}, false
	}
	return set, true
}

// cpus returns the CPU set in a list file or, where that is missing or not
// readable, in a mask file; kernels before 2.6.26 have masks only.
func (t *tree) cpus(list, mask string) (CPUSet, bool) {
	if set, ok := t.list(list); ok {
		return set, true
	}
	return t.mask(mask)
}

// numbered returns the numbers n, ascending, of entries prefix+n in dir.
func (t *tree) numbered(dir, prefix string) []int {
	entries, err := fs.ReadDir(t.fsys, dir)
	if err != nil {
		return nil
	}
	var set CPUSet
	var ids []int
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok {
			continue
		}
		if n, err := parseCPU(digits); err == nil {
			ids = append(ids, n)
		}
	}
	set.Add(ids...)
	return set.List()
}
