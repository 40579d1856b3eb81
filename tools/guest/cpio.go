// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"os"
)

// An archive is a cpio archive in the "newc" format that the kernel unpacks as its
// first root: per entry a header of 13 numbers in eight hex digits each after the
// magic, then the name and the content, each padded to four bytes.
type archive struct {
	buf bytes.Buffer
	ino int
	err error
}

// Modes of the entries.
const (
	modeDir  = 0o040755
	modeFile = 0o100755
	modeChar = 0o020600
)

func (a *archive) add(name string, mode int, content []byte, devMajor, devMinor int) {
	a.ino++
	fmt.Fprintf(&a.buf, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x",
		a.ino, mode, 0, 0, 1, 0, len(content), 0, 0, devMajor, devMinor, len(name)+1, 0)
	a.buf.WriteString(name)
	a.buf.WriteByte(0)
	a.pad()
	a.buf.Write(content)
	a.pad()
}

func (a *archive) pad() {
	for a.buf.Len()%4 != 0 {
		a.buf.WriteByte(0)
	}
}

func (a *archive) dir(name string)                  { a.add(name, modeDir, nil, 0, 0) }
func (a *archive) file(name string, content []byte) { a.add(name, modeFile, content, 0, 0) }

// console adds /dev/console, without which init has no output.
func (a *archive) console() { a.add("dev/console", modeChar, nil, 5, 1) }

func (a *archive) hostFile(name, path string) {
	content, err := os.ReadFile(path)
	if err != nil {
		if a.err == nil {
			a.err = err
		}
		return
	}
	a.file(name, content)
}

func (a *archive) writeTo(path string) error {
	if a.err != nil {
		return a.err
	}
	a.add("TRAILER!!!", 0, nil, 0, 0)
	return os.WriteFile(path, a.buf.Bytes(), 0o600)
}
