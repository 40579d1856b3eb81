// SPDX-License-Identifier: BSD-3-Clause

//go:build !arm64 && !(linux && amd64 && gc && go1.26 && !go1.28 && !purego && !race)

package asym

const (
	fixedMode  = Symmetric
	fixedState = "not used: every release is fenced in this build"
)
