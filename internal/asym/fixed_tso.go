// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && amd64 && gc && go1.26 && !go1.28 && !purego && !race

package asym

const (
	fixedMode  = Symmetric // unused: the mode is a variable here
	fixedState = ""        // unused: the controller says
)

// modeOffset is where the assembly finds the mode; a test compares it with the struct.
const modeOffset = 64
