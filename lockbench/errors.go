// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import "strings"

// inLine is an error in one line: where several workers failed theirs are joined by
// line ends, which do not fit into a line of a log or a terminal.
type inLine struct{ err error }

// joinLines puts an error into one line; errors.Is and errors.As still find each part.
func joinLines(err error) error {
	if err == nil || !strings.Contains(err.Error(), "\n") {
		return err
	}
	return inLine{err}
}

// Error is the lines joined by "; ".
func (e inLine) Error() string {
	lines := strings.FieldsFunc(e.err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.Join(lines, "; ")
}

// Unwrap returns the error as it was.
func (e inLine) Unwrap() error { return e.err }
