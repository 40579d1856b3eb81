// SPDX-License-Identifier: BSD-3-Clause

// Package report turns results into tables of locks against a base lock.
//
// # What
//
// A [Builder] takes results one by one and makes a [Report]: a [Group] for each
// machine and configuration, in it a [Table] for each unit, in it a [Row] for each
// load, in it a [Cell] for each lock. Grouping is done by benchproc: groups by
// .config, rows by .fullname without /lock, columns by /lock. Keys that are
// measured anew by every run (the pause, the two spinners) do not split groups.
//
// Rendering is not done here; text, CSV, JSON, Markdown and HTML all show this
// model, so they cannot disagree.
//
// # Guarantees
//
//   - G1. Samples are pooled over the files of a group, but pairs are formed within
//     a file only, and only where the file measured the two locks in turns.
//   - G2. Nothing is dropped in silence: a load measured for one lock only has its
//     row, without a ratio, and the geometric mean says how many rows it covers.
package report
