// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"slices"
	"strings"
)

// joined is several errors in one line, where those of errors.Join have a line
// each.
type joined []error

// joinErrors joins the errors that are not nil; without any it returns nil.
func joinErrors(errs ...error) error {
	errs = slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err == nil })
	if len(errs) == 0 {
		return nil
	}
	return joined(errs)
}

// Error gives all the errors, also those that have several lines, in one line.
func (j joined) Error() string {
	var parts []string
	for _, err := range j {
		for line := range strings.Lines(strings.ReplaceAll(err.Error(), "\r", "\n")) {
			if line = strings.TrimSpace(line); line != "" {
				parts = append(parts, line)
			}
		}
	}
	return strings.Join(parts, "; ")
}

// Unwrap is what errors.Is and errors.As look at.
func (j joined) Unwrap() []error { return j }
