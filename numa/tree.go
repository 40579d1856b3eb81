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
	seen     map[string]bool    // warnings given
	perCPU   map[string]*CPUSet // warnings about single CPUs, told together
	order    []string           // keys of perCPU in order
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
	set := t.perCPU[text]
	if set == nil {
		if t.perCPU == nil {
			t.perCPU = map[string]*CPUSet{}
		}
		set = new(CPUSet)
		t.perCPU[text] = set
		t.order = append(t.order, text)
	}
	set.Add(cpu)
}

// allWarnings returns every warning, those about single CPUs joined.
func (t *tree) allWarnings() []string {
	all := t.warnings
	for _, text := range t.order {
		all = append(all, fmt.Sprintf("%s: CPUs %v", text, t.perCPU[text]))
	}
	return all
}

// text returns a file's content without the white space and NUL bytes around
// it, and whether it could be read.
func (t *tree) text(path string) (string, bool) {
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
