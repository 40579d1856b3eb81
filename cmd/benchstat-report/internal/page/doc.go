// SPDX-License-Identifier: BSD-3-Clause

// Package page writes a report as one HTML file that needs nothing else: no
// network, no script, no font. It follows the reader's choice of light or dark,
// prints on white, and can be used by keyboard and by ear: every picture stands
// beside the table of its numbers, and every table has a caption and scrolls in a
// region of its own.
//
// The page is made from the same model as the text; what it adds is the order:
// what the numbers were measured on, what they say, a section for each kind of work
// (hold and think time) with its two pictures, then every table in full.
package page
