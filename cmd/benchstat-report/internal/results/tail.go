// SPDX-License-Identifier: BSD-3-Clause

package results

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// A tail passes bytes through and remembers whether the last line had an end.
// The reader above it runs ahead of the lines it delivers, so the line is
// identified by number and not by "the input is at its end".
type tail struct {
	r     io.Reader
	head  []byte // read by sniff and not passed on yet
	lines int    // ends of line seen
	last  byte   // last byte seen
	ended bool
}

// sniffLen bytes decide whether a file is text.
const sniffLen = 4096

// sniff refuses empty and binary input before a line is parsed.
func (t *tail) sniff(path string) error {
	buf := make([]byte, sniffLen)
	n, err := io.ReadFull(t.r, buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: %w", path, err)
	}
	t.head = buf[:n]
	if n == 0 {
		return fmt.Errorf("%s: empty file; want benchmark results", path)
	}
	if bytes.HasPrefix(t.head, []byte("\xff\xfe")) || bytes.HasPrefix(t.head, []byte("\xfe\xff")) {
		return fmt.Errorf("%s: UTF-16 text; want UTF-8 (in PowerShell: | Out-File -Encoding utf8 FILE)", path)
	}
	if i := bytes.IndexByte(t.head, 0); i >= 0 {
		return fmt.Errorf("%s: binary file (byte 0 at offset %d); want text in the Go benchmark format", path, i)
	}
	return nil
}

func (t *tail) Read(p []byte) (n int, err error) {
	if len(t.head) > 0 {
		n = copy(p, t.head)
		t.head = t.head[n:]
	} else {
		n, err = t.r.Read(p)
	}
	if n > 0 {
		t.lines += bytes.Count(p[:n], []byte{'\n'})
		t.last = p[n-1]
	}
	t.ended = t.ended || err == io.EOF
	return n, err
}

// cut reports whether line is the last one and has no end of line.
func (t *tail) cut(line int) bool {
	return t.ended && t.last != '\n' && line == t.lines+1
}

// explain adds to a parser's message what would be right.
func (t *tail) explain(line int, msg string) string {
	switch {
	case t.cut(line):
		return "line cut off (" + msg + "); want a whole line with an end of line"
	case strings.HasPrefix(msg, "metadata "):
		return msg + "; want one meaning per unit over all files"
	case msg == "missing unit" || msg == "expected key=value":
		return msg + `; want "Unit name key=value"`
	}
	return msg + `; want "BenchmarkName iterations value unit [value unit ...]"`
}
