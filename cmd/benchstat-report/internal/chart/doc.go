// SPDX-License-Identifier: BSD-3-Clause

// Package chart draws the two pictures of the report as SVG: throughput against
// goroutines, and the ladder of waits.
//
// # What
//
// A picture is text: elements with classes, no colours, so that the page's style
// decides how light, dark and paper look. Series are told apart by the shape of
// their marks and the dashes of their lines as well as by colour. Every picture has
// a title and a description for readers that do not see it, and every mark has a
// title of its own with its numbers.
//
// # Guarantees
//
//   - C1. The same data gives the same text, byte for byte.
//   - C2. All text is escaped: names from a file cannot become markup.
//   - C3. A value that cannot be drawn (no interval, a zero on a log scale) is left
//     out or drawn at the edge, never at a wrong place: the table beside has it.
//
// Note: a plotting library was not used. gonum/plot brings ten more modules and a
// fixed look; the charting libraries for browsers load scripts from elsewhere.
package chart
