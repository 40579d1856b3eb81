// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/results"
)

// writable fails where path cannot be written. It is asked before anything is
// measured or read, and leaves everything as it was: a file that is there keeps its
// contents, one that is not is made and removed again, and so is the target of a
// link that leads nowhere yet, never the link.
func writable(path string) error {
	flags := os.O_WRONLY
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		path, flags = target(path), flags|os.O_CREATE|os.O_EXCL
	case err == nil && info.Mode()&fs.ModeNamedPipe != 0:
		return nil // to open it would wait for its reader
	}
	f, err := os.OpenFile(path, flags, 0o666)
	if err != nil {
		return cannotWrite(path, err)
	}
	f.Close()
	if flags&os.O_EXCL != 0 { // then it was made here
		os.Remove(path)
	}
	return nil
}

// target follows links at the end of path to what they lead to, which need not
// exist. Links in a circle are left as they are.
func target(path string) string {
	start := path
	for range 255 {
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(path) // not Dir and Join: ".." after a linked directory is not lexical
			to = dir + to
		}
		path = to
	}
	return start
}

// sameFile reports whether two names are of one file, also where it does not exist
// yet: its directory may have several names too.
func sameFile(a, b string) bool {
	if ia, err := os.Stat(a); err == nil {
		ib, err := os.Stat(b)
		return err == nil && os.SameFile(ia, ib)
	}
	return resolved(a) == resolved(b)
}

// resolved is the one name of a file in a directory that exists.
func resolved(path string) string {
	dir, base := filepath.Split(target(path))
	if dir == "" {
		dir = "."
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return filepath.Join(dir, base)
}

// overwrites is the error for an output that is one of the inputs, which would be
// lost. A device is no loss.
func overwrites(out string, ins []results.Input, stdin io.Reader) error {
	info, err := os.Stat(out)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	for _, in := range ins {
		if other, err := statInput(in, stdin); err == nil && os.SameFile(info, other) {
			return unusablef("-o %s: is the input %s, whose measurements would be lost; want another file", out, in.Path)
		}
	}
	return nil
}

func statInput(in results.Input, stdin io.Reader) (fs.FileInfo, error) {
	if in.Path != "-" {
		return os.Stat(in.Path)
	}
	if f, ok := stdin.(*os.File); ok {
		return f.Stat()
	}
	return nil, fs.ErrNotExist
}
