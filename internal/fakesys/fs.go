// SPDX-License-Identifier: BSD-3-Clause

package fakesys

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// An FS is a tree of files in memory. Unlike a map of paths it lists a
// directory in time that does not grow with the rest of the tree, which is what
// makes machines of thousands of CPUs usable in tests. The zero value is empty.
type FS struct{ root node }

// node is a file, or a directory when children is not nil.
type node struct {
	content  string
	children map[string]*node
}

// Set writes a file and the directories above it, over whatever was there.
func (f *FS) Set(name, content string) {
	n := &f.root
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		if n.children == nil {
			n.children = map[string]*node{}
		}
		next := n.children[part]
		if next == nil {
			next = &node{}
			n.children[part] = next
		}
		n = next
	}
	n.content = content
}

// Remove takes away a file or a whole directory. A name that is not there is
// ignored.
func (f *FS) Remove(name string) {
	if dir := f.find(path.Dir(name)); dir != nil {
		delete(dir.children, path.Base(name))
	}
}

// Files returns the paths of all files in order.
func (f *FS) Files() []string {
	var all []string
	var walk func(prefix string, n *node)
	walk = func(prefix string, n *node) {
		for name, c := range n.children {
			if c.children == nil {
				all = append(all, prefix+name)
			} else {
				walk(prefix+name+"/", c)
			}
		}
	}
	walk("", &f.root)
	slices.Sort(all)
	return all
}

// find returns the node of a valid path, or nil.
func (f *FS) find(name string) *node {
	n := &f.root
	if name == "." {
		return n
	}
	for part := range strings.SplitSeq(name, "/") {
		if n = n.children[part]; n == nil {
			return nil
		}
	}
	return n
}

// Open implements fs.FS.
func (f *FS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	n := f.find(name)
	if n == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file{info: info{path.Base(name), n}, rest: n.content, path: name}, nil
}

// file is an open file or directory.
type file struct {
	info
	path string
	rest string // not read yet
	read int    // directory entries given
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

func (f *file) Read(b []byte) (int, error) {
	if f.IsDir() {
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: fs.ErrInvalid}
	}
	if f.rest == "" {
		return 0, io.EOF
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// ReadDir implements fs.ReadDirFile.
func (f *file) ReadDir(n int) ([]fs.DirEntry, error) {
	if !f.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: f.path, Err: fs.ErrInvalid}
	}
	all := make([]fs.DirEntry, 0, len(f.n.children))
	for name, c := range f.n.children {
		all = append(all, fs.FileInfoToDirEntry(info{name, c}))
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	all = all[f.read:]
	if n <= 0 {
		f.read += len(all)
		return all, nil
	}
	if len(all) == 0 {
		return nil, io.EOF
	}
	all = all[:min(n, len(all))]
	f.read += len(all)
	return all, nil
}

// info describes a node.
type info struct {
	name string
	n    *node
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return int64(len(i.n.content)) }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.n.children != nil }
func (i info) Sys() any           { return nil }
func (i info) Mode() fs.FileMode {
	if i.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
