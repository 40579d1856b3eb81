// SPDX-License-Identifier: BSD-3-Clause

package asym

// Store-release then load-acquire is ordered by the architecture (RCsc): the cheap
// release is always on, on every operating system, and Barrier has nothing to do.
const (
	fixedMode  = Asymmetric
	fixedState = "not needed: store-release then load-acquire is ordered on arm64"
)
