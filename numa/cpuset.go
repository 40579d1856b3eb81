// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// MaxCPU is the largest CPU number a CPUSet can hold. It is far above what any
// kernel is built for and keeps a typing error from filling memory.
const MaxCPU = 1<<20 - 1

// A CPUSet is a set of CPU numbers.
//
// It is a value: an assignment copies it, and a later Add or Remove on one copy
// is never seen through another. Two sets are equal exactly when == says so,
// and a set can be a map key. The zero value is the empty set. Reading one set
// from many goroutines is safe; Add and Remove write the variable they are
// called on, as an assignment does. Add and Remove copy the whole set, so give
// them many numbers in one call rather than one at a time.
type CPUSet struct {
	// bits holds CPU n in bit n%8 of byte n/8. Canonical: the last byte is
	// never zero. A string, because nobody can change it behind a copy's back.
	bits string
}

// CPUSetOf returns the set of the given CPU numbers. It panics where Add does.
func CPUSetOf(cpus ...int) CPUSet {
	var s CPUSet
	s.Add(cpus...)
	return s
}

// cpuRange returns the set first..last, both in it.
func cpuRange(first, last int) CPUSet {
	if last < first {
		return CPUSet{}
	}
	b := make([]byte, last/8+1)
	setRange(b, first, last)
	return canonical(b)
}

// setRange sets bits first..last of b.
func setRange(b []byte, first, last int) {
	for c := first; c <= last; {
		if c%8 == 0 && c+7 <= last {
			b[c/8] = 0xff
			c += 8
			continue
		}
		b[c/8] |= 1 << (c % 8)
		c++
	}
}

// canonical makes a set of b, which it does not keep.
func canonical(b []byte) CPUSet {
	n := len(b)
	for n > 0 && b[n-1] == 0 {
		n--
	}
	return CPUSet{string(b[:n])}
}

// Add puts CPUs into the set. It panics, with the set unchanged, when a number
// is negative or above MaxCPU.
func (s *CPUSet) Add(cpus ...int) {
	size := len(s.bits)
	for _, c := range cpus {
		if c < 0 || c > MaxCPU {
			panic(fmt.Sprintf("numa: CPU number %d is outside 0-%d", c, MaxCPU))
		}
		size = max(size, c/8+1)
	}
	b := make([]byte, size)
	copy(b, s.bits)
	for _, c := range cpus {
		b[c/8] |= 1 << (c % 8)
	}
	*s = canonical(b)
}

// Remove takes CPUs out of the set. Numbers that are not in it are ignored.
func (s *CPUSet) Remove(cpus ...int) {
	b := []byte(s.bits)
	for _, c := range cpus {
		if s.Has(c) {
			b[c/8] &^= 1 << (c % 8)
		}
	}
	*s = canonical(b)
}

// Has reports whether cpu is in the set; any number may be asked for.
func (s CPUSet) Has(cpu int) bool {
	return cpu >= 0 && cpu/8 < len(s.bits) && s.bits[cpu/8]>>(cpu%8)&1 != 0
}

// Len returns how many CPUs are in the set.
func (s CPUSet) Len() int {
	n := 0
	for i := range len(s.bits) {
		n += bits.OnesCount8(s.bits[i])
	}
	return n
}

// Empty reports whether no CPU is in the set.
func (s CPUSet) Empty() bool { return s.bits == "" }

// All yields the CPUs in ascending order.
func (s CPUSet) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range len(s.bits) {
			for b := s.bits[i]; b != 0; b &= b - 1 {
				if !yield(i*8 + bits.TrailingZeros8(b)) {
					return
				}
			}
		}
	}
}

// List returns the CPUs in ascending order, in a slice of the caller's own.
func (s CPUSet) List() []int {
	list := make([]int, 0, s.Len())
	for c := range s.All() {
		list = append(list, c)
	}
	return list
}

// last returns the highest CPU, or -1 when the set is empty.
func (s CPUSet) last() int {
	if s.bits == "" {
		return -1
	}
	n := len(s.bits) - 1
	return n*8 + bits.Len8(s.bits[n]) - 1
}

// And returns the CPUs that are in both sets.
func (s CPUSet) And(o CPUSet) CPUSet {
	b := make([]byte, min(len(s.bits), len(o.bits)))
	for i := range b {
		b[i] = s.bits[i] & o.bits[i]
	}
	return canonical(b)
}

// Or returns the CPUs that are in either set.
func (s CPUSet) Or(o CPUSet) CPUSet {
	if len(s.bits) < len(o.bits) {
		s, o = o, s
	}
	b := []byte(s.bits)
	for i := range len(o.bits) {
		b[i] |= o.bits[i]
	}
	return canonical(b)
}

// AndNot returns the CPUs of s that are not in o.
func (s CPUSet) AndNot(o CPUSet) CPUSet {
	b := []byte(s.bits)
	for i := range min(len(b), len(o.bits)) {
		b[i] &^= o.bits[i]
	}
	return canonical(b)
}

// String returns the set as the kernel prints it: "0-3,8", ascending, "" when
// it is empty. ParseCPUSet reads it back.
func (s CPUSet) String() string {
	var out strings.Builder
	first, last := -1, -2
	flush := func() {
		if first < 0 {
			return
		}
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strconv.Itoa(first))
		if last > first {
			out.WriteByte('-')
			out.WriteString(strconv.Itoa(last))
		}
	}
	for c := range s.All() {
		if c != last+1 {
			flush()
			first = c
		}
		last = c
	}
	flush()
	return out.String()
}

// MarshalText gives the form of String, so that JSON holds "0-3,8".
func (s CPUSet) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what ParseCPUSet reads. On an error s is unchanged.
func (s *CPUSet) UnmarshalText(text []byte) error {
	set, err := ParseCPUSet(string(text))
	if err == nil {
		*s = set
	}
	return err
}
