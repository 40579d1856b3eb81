// SPDX-License-Identifier: BSD-3-Clause

//go:build gc && go1.26 && !go1.28 && !purego

// Empty: a package with a .s file may declare functions without bodies, and those of
// runtime.go have theirs in the runtime.
