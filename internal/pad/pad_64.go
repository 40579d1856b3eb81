// SPDX-License-Identifier: BSD-3-Clause

//go:build !arm64

package pad

// CacheLine is the size of a cache line in bytes.
const CacheLine = 64
