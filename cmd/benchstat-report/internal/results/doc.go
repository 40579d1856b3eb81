// SPDX-License-Identifier: BSD-3-Clause

// Package results reads measurements in the Go benchmark format.
//
// # What
//
// [Read] streams every result of a list of files to a function, and tells
// which lines it could not use. Reading is done by golang.org/x/perf/benchfmt;
// this package adds what a report needs on top: the errors that benchfmt leaves
// to its caller, and repairs: R2, R4, and a byte order mark before a line is skipped.
//
// # Guarantees
//
//   - R1. A file that cannot be used at all (missing, empty, binary, without a
//     result) is an error that names the file and says what would be right.
//   - R2. A line that cannot be used is a [Problem] with file and line; the
//     results around it are delivered. Nothing measured is lost to its neighbour,
//     not to one that is too long for benchfmt, or has a byte 0, either. So is a
//     line that has a unit twice: one line is one sample.
//   - R3. A last line that was cut off in the middle is a problem and not a
//     result, even where the cut left it readable: "12 ns/op 45 acq" is not a
//     measurement in the unit "acq", and "12 ns/op" is not all of a line that has
//     two values elsewhere.
//   - R4. Values are tidied by their unit, a zero included. benchfmt decides by
//     comparing the values before and after, so its zero keeps the unit ns/op and
//     would stand in a table of its own.
//
// # References
//
// The format: R. Cox and A. Clements, "Proposal: Go Benchmark Data Format", 2016,
// https://golang.org/design/14313-benchmark-format.
package results
