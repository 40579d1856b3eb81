// SPDX-License-Identifier: BSD-3-Clause

package results

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// maxLine is how long a line can be, its end included: what benchfmt can take.
const maxLine = bufio.MaxScanTokenSize

// A tail passes lines through and remembers whether the last one had an end. The
// line is identified by number, for its end is not seen before the reader above has
// asked for more. A line that this reader would give up at is passed on empty, so
// that those after it keep their numbers.
type tail struct {
	r       *bufio.Reader
	problem func(line int, msg string) // told of lines passed on empty
	line    []byte                     // of r's buffer, not passed on yet
	lines   int                        // ends of line seen
	last    byte                       // last byte passed on
	ended   bool
	err     error // of r, due after line
}

func newTail(r io.Reader) *tail { return &tail{r: bufio.NewReaderSize(r, maxLine)} }

// sniffLen bytes decide whether a file is text.
const sniffLen = 4096

// bom is the byte order mark that some editors put before UTF-8; joining files
// moves it into the middle.
var bom = []byte("\xef\xbb\xbf")

// sniff refuses empty and binary input before a line is parsed.
func (t *tail) sniff(path string) error {
	head, err := t.r.Peek(sniffLen)
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(bytes.TrimPrefix(head, bom)) == 0 {
		return fmt.Errorf("%s: empty file; want benchmark results", path)
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return fmt.Errorf("%s: UTF-16 text; want UTF-8 (in PowerShell: | Out-File -Encoding utf8 FILE)", path)
	}
	if i := bytes.IndexByte(head, 0); i >= 0 {
		return fmt.Errorf("%s: binary file (byte 0 at offset %d); want text in the Go benchmark format", path, i)
	}
	return nil
}

// Read returns a line, or a part of one, and never more: so problems of this tail and
// of the reader above it come in the order of lines.
func (t *tail) Read(p []byte) (n int, err error) {
	for len(t.line) == 0 {
		if t.err != nil {
			t.ended = t.ended || t.err == io.EOF
			return 0, t.err
		}
		t.line, t.err = t.next()
	}
	n = copy(p, t.line)
	t.line = t.line[n:]
	if n > 0 {
		t.lines += bytes.Count(p[:n], []byte{'\n'})
		t.last = p[n-1]
	}
	return n, nil
}

// next returns the next line with its end; only the end of one that is left out.
func (t *tail) next() ([]byte, error) {
	line, err := t.r.ReadSlice('\n')
	msg := ""
	switch {
	case err == bufio.ErrBufferFull:
		msg = fmt.Sprintf("line of more than %d bytes; want one result a line", maxLine-1)
	case bytes.IndexByte(line, 0) >= 0:
		msg = "byte 0 in the line; want text"
	default:
		return bytes.TrimPrefix(line, bom), err
	}
	t.problem(t.lines+1, msg)
	for err == bufio.ErrBufferFull {
		line, err = t.r.ReadSlice('\n')
	}
	return line[len(bytes.TrimSuffix(line, []byte{'\n'})):], err
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
