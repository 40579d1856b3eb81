// SPDX-License-Identifier: BSD-3-Clause

package hysteresis

import "sync/atomic"

// A Policy says when a lock leaves its robust mode. The zero value is
// Adaptive. Policies are comparable.
type Policy struct {
	fixed uint32 // 0 adaptive, otherwise 1 + the count
}

// Adaptive leaves when staying has lost as much as leaving and coming back
// costs.
var Adaptive Policy

// MaxFixed is the largest fixed count; larger ones are taken as this.
const MaxFixed = 1<<31 - 2

// Fixed leaves after n operations in a row that did not need the robust mode.
// Fixed(0) leaves at once, after the operation that did need it. It panics
// when n is negative.
func Fixed(n int) Policy {
	switch {
	case n < 0:
		panic("hysteresis: negative count")
	case n > MaxFixed:
		n = MaxFixed
	}
	return Policy{fixed: uint32(n) + 1}
}

// Count returns the count of a fixed policy.
func (p Policy) Count() (n int, fixed bool) {
	if p.fixed == 0 {
		return 0, false
	}
	return int(p.fixed - 1), true
}

// String is "adaptive" or "fixed(n)".
func (p Policy) String() string {
	n, fixed := p.Count()
	if !fixed {
		return "adaptive"
	}
	return "fixed(" + decimal(uint64(n)) + ")"
}

// A Setting is a Policy that may be changed at any time. Its zero value holds
// Adaptive.
type Setting struct {
	v atomic.Uint32
}

// Load returns the policy.
func (s *Setting) Load() Policy { return Policy{fixed: s.v.Load()} }

// Store changes it.
func (s *Setting) Store(p Policy) { s.v.Store(p.fixed) }

// decimal formats v. This package must not depend on strconv, which depends
// on packages above the standard library's internal/sync.
func decimal(v uint64) string {
	var buf [20]byte
	i := len(buf)
	for {
		i--
		buf[i] = '0' + byte(v%10)
		if v /= 10; v == 0 {
			return string(buf[i:])
		}
	}
}
