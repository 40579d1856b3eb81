// SPDX-License-Identifier: BSD-3-Clause

// Package pad holds the distance that keeps two words from sharing a cache line.
//
// CacheLine is a constant of the architecture, not a reading of this machine:
// 128 bytes on arm64, where Apple's cores use such lines, and 64 bytes elsewhere.
// It is enough on every machine we know of, and too much on some.
package pad

// Line fills one cache line. It stands between fields that different goroutines
// write, and must not be the last field of a struct whose size matters.
type Line [CacheLine]byte
