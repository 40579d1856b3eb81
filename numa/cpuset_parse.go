// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseCPUSet reads a CPU list as the kernel prints it and as it accepts it:
// items separated by commas, each a number "8", a range "0-3", or a range with
// a stride "0-31:2/8", which takes the first 2 of every 8. White space around
// an item is skipped and the empty string is the empty set. The words "all" and
// "N" of kernel command lines are refused, because their meaning depends on the
// machine. An error is one line and names the item it could not read.
//
// Items may overlap and repeat: the time grows with the length of the text and
// with the highest CPU in it. Different strides over large ranges would not
// allow that, and a list whose strides make more than 2^24 runs of CPUs is an
// error.
func ParseCPUSet(s string) (CPUSet, error) {
	if strings.TrimSpace(s) == "" {
		return CPUSet{}, nil
	}
	items, err := parseItems(s)
	if err == nil {
		var set CPUSet
		if set, err = union(items); err == nil {
			return set, nil
		}
	}
	return CPUSet{}, fmt.Errorf("numa: CPU list %s: %w", clip(s), err)
}

// listItem is first..last, of which the first used of every group are meant.
type listItem struct{ first, last, used, group int }

// maxRuns bounds the runs of CPUs that the strides of one list make. Ranges are
// merged before they are set and cost no more than the set is large, but the
// runs of different strides cannot be merged so.
const maxRuns = 1 << 24

// runs returns how many runs of CPUs a stride makes; 0 is an item without one.
func (it listItem) runs() int {
	if it.used == it.group {
		return 0
	}
	return (it.last-it.first)/it.group + 1
}

// compareItems orders items by their first CPU, then so that equal ones meet.
func compareItems(a, b listItem) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last),
		cmp.Compare(a.used, b.used), cmp.Compare(a.group, b.group))
}

// union returns the CPUs of all items, however much these overlap. It orders
// the items.
func union(items []listItem) (CPUSet, error) {
	slices.SortFunc(items, compareItems)
	items = slices.Compact(items)
	last, runs := 0, 0
	for _, it := range items {
		last = max(last, it.last)
		// Checked in every round: the sum of all can be too large for an int.
		if runs += it.runs(); runs > maxRuns {
			return CPUSet{}, fmt.Errorf("its strides make more than %d runs of CPUs", maxRuns)
		}
	}
	b := make([]byte, last/8+1)
	done := -1 // ranges have set everything from their first CPU to this one
	for _, it := range items {
		if it.used == it.group {
			setRange(b, max(it.first, done+1), it.last)
			done = max(done, it.last)
			continue
		}
		for start := it.first; start <= it.last; start += it.group {
			setRange(b, start, min(start+it.used-1, it.last))
		}
	}
	return canonical(b), nil
}

// parseItems reads the items between commas.
func parseItems(s string) ([]listItem, error) {
	items := make([]listItem, 0, strings.Count(s, ",")+1)
	for text := range strings.SplitSeq(s, ",") {
		item, err := parseItem(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// parseItem reads "N", "N-M" or "N-M:used/group".
func parseItem(s string) (it listItem, err error) {
	if s == "" {
		return it, fmt.Errorf("an item between commas is empty")
	}
	span, stride, strided := strings.Cut(s, ":")
	from, to, ranged := strings.Cut(span, "-")
	if it.first, err = parseCPU(from); err != nil {
		return it, err
	}
	it.last, it.used, it.group = it.first, 1, 1
	if ranged {
		if it.last, err = parseCPU(to); err != nil {
			return it, err
		}
	}
	if it.last < it.first {
		return it, fmt.Errorf("range %s runs backwards", clip(span))
	}
	if !strided {
		return it, nil
	}
	if !ranged {
		return it, fmt.Errorf("stride %s needs a range before it", clip(s))
	}
	return it, it.parseStride(stride)
}

// parseStride reads "used/group" into it.
func (it *listItem) parseStride(s string) (err error) {
	used, group, ok := strings.Cut(s, "/")
	if !ok {
		return fmt.Errorf("stride %s is not of the form used/group", clip(s))
	}
	if it.used, err = parseCPU(used); err != nil {
		return err
	}
	if it.group, err = parseCPU(group); err != nil {
		return err
	}
	if it.group == 0 || it.used > it.group {
		return fmt.Errorf("stride %s takes more than its group holds", clip(s))
	}
	return nil
}

// parseCPU reads a plain decimal number; signs and other bases are refused.
func parseCPU(s string) (int, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, fmt.Errorf("%s is not a CPU number", clip(s))
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > MaxCPU {
		return 0, fmt.Errorf("%s is above %d", clip(s), MaxCPU)
	}
	return n, nil
}

// parseMask reads the kernel's hexadecimal masks: groups of 32 bits separated
// by commas, the highest first. Old dumps pad them with NUL bytes.
func parseMask(s string) (CPUSet, error) {
	s = strings.Trim(s, "\x00 \t\r\n")
	groups := strings.Split(s, ",")
	if len(groups) > (MaxCPU+1)/32 {
		return CPUSet{}, fmt.Errorf("numa: CPU mask of %d groups is too long", len(groups))
	}
	b := make([]byte, len(groups)*4)
	for i, g := range groups {
		// One group alone may be longer or shorter than eight digits: a
		// kernel built for fewer CPUs prints fewer.
		v, err := strconv.ParseUint(strings.TrimPrefix(g, "0x"), 16, 32)
		if err != nil {
			return CPUSet{}, fmt.Errorf("numa: CPU mask %s: %s is not a group of 32 bits", clip(s), clip(g))
		}
		at := (len(groups) - 1 - i) * 4
		for j := range 4 {
			b[at+j] = byte(v >> (8 * j))
		}
	}
	return canonical(b), nil
}

// clip quotes s for an error of one line, cut to a readable length.
func clip(s string) string {
	const limit = 60
	cut := len(s) > limit
	if cut {
		s = s[:limit]
	}
	q := strconv.Quote(s)
	if len(q) > 2*limit { // mostly escapes
		q, cut = q[:2*limit], true
	}
	if cut {
		q += "..."
	}
	return q
}
