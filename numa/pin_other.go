// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package numa

import (
	"errors"
	"fmt"
	"runtime"
)

func pin(CPUSet) (func() error, error) {
	return nil, fmt.Errorf("numa: cannot pin on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}
