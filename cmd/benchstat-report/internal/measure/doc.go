// SPDX-License-Identifier: BSD-3-Clause

// Package measure runs a suite of lockbench and keeps what it measures: each
// result goes to its file, as a line of the Go benchmark format, before the next
// one is begun. An interruption, a full disk or a crash loses nothing measured.
//
// # Guarantees
//
//   - M1. The file is not touched before there is something to put in: a file that
//     was there survives a run that is interrupted while calibrating.
//   - M2. Every line is written by one call of Write and not buffered.
//   - M3. What was measured is kept in memory too, so it can be shown when the file
//     can no longer be written, or is a device that cannot be read back.
package measure
