// SPDX-License-Identifier: BSD-3-Clause

package hysteresis

import (
	"fmt"
	"testing"
	"unsafe"
)

func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(Account(0)); n != 4 {
		t.Errorf("Account has %d bytes", n)
	}
	if n := unsafe.Sizeof(Setting{}); n != 4 {
		t.Errorf("Setting has %d bytes", n)
	}
}

// I7.
func TestFixedIsExact(t *testing.T) {
	for _, n := range []int{0, 1, 2, 10, 1000, 70_000} {
		p := Fixed(n)
		for _, start := range []Account{0, 12345, full, counts} {
			if n == 0 && start == counts {
				continue // tested below
			}
			a, leave := start, false
			for i := 1; i < n; i++ {
				if a, leave = a.Lose(p, full); leave || a.Full(p) {
					t.Fatalf("Fixed(%d) from %#x leaves after %d", n, start, i)
				}
			}
			for range 3 { // and says so again
				if a, leave = a.Lose(p, 0); !leave || !a.Full(p) {
					t.Errorf("Fixed(%d) from %#x does not leave", n, start)
				}
			}
		}
		a, leave := Account(0), false
		for range n {
			a, _ = a.Lose(p, 0)
		}
		if a, leave = a.Gain(p, 0); leave != (n == 0) || a.Full(p) != (n == 0) {
			t.Errorf("Fixed(%d): a busy operation leaves: %v, full: %v", n, leave, a.Full(p))
		}
		for i := 1; i <= n; i++ {
			if a, leave = a.Lose(p, 0); leave != (i == n) {
				t.Fatalf("Fixed(%d): after a busy and %d quiet operations: %v", n, i, leave)
			}
		}
	}
}

func TestFixedAtItsLargest(t *testing.T) {
	p := Fixed(1<<31 - 1) // one more than can be counted
	if n, fixed := p.Count(); n != MaxFixed || !fixed {
		t.Errorf("Count is %d, %v", n, fixed)
	}
	a, leave := (counts | (MaxFixed - 2)).Lose(p, 0)
	if leave {
		t.Error("leaves one too early")
	}
	for range 5 { // I8
		if a, leave = a.Lose(p, 0); !leave || a != counts|MaxFixed {
			t.Errorf("at the end: %#x, %v", a, leave)
		}
	}
}

// A policy changed in the middle starts afresh; one count goes on as another.
func TestPolicyChanges(t *testing.T) {
	a, _ := Account(0).Lose(Adaptive, full-1)
	if a, leave := a.Lose(Fixed(2), 0); leave || a != counts|1 {
		t.Errorf("adaptive to fixed: %#x, %v", a, leave)
	}
	if a, leave := (counts | 5).Lose(Adaptive, 7); leave || a != 7 {
		t.Errorf("fixed to adaptive: %#x, %v", a, leave)
	}
	if a, leave := (counts | 5).Gain(Adaptive, 7); leave || a != 0 {
		t.Errorf("fixed to adaptive, gain: %#x, %v", a, leave)
	}
	if a, leave := (counts | 5).Lose(Fixed(6), 0); !leave || a != counts|6 {
		t.Errorf("fixed to fixed: %#x, %v", a, leave)
	}
	if _, leave := (counts | 5).Lose(Fixed(3), 0); !leave {
		t.Error("a smaller count than already counted does not leave")
	}
	if (counts | 5).Full(Adaptive) || Account(full).Full(Fixed(1)) || !Account(full).Full(Adaptive) {
		t.Error("Full takes one kind of account for the other")
	}
}

// I1 and I8.
func TestSaturation(t *testing.T) {
	for _, c := range []struct {
		a, want Account
		s       Step
		leave   bool
	}{
		{0, 0, 0, false}, {0, full - 1, full - 1, false}, {0, full, full, true},
		{0, full, 1<<32 - 1, true}, {full - 1, full, 1, true}, {full - 1, full - 1, 0, false},
		{full, full, 0, true}, {full, full, full, true}, {1, full, full - 1, true},
	} {
		if a, leave := c.a.Lose(Adaptive, c.s); a != c.want || leave != c.leave {
			t.Errorf("%d loses %d: %d, %v, want %d, %v", c.a, c.s, a, leave, c.want, c.leave)
		}
	}
	for _, c := range []struct {
		a, want Account
		s       Step
	}{{0, 0, 5}, {5, 0, 5}, {5, 0, 6}, {5, 4, 1}, {5, 5, 0}, {full, 0, 1<<32 - 1}, {full, full - 1, 1}} {
		if a, leave := c.a.Gain(Adaptive, c.s); a != c.want || leave {
			t.Errorf("%d gains %d: %d, %v, want %d", c.a, c.s, a, leave, c.want)
		}
	}
}

func TestSmallSaturation(t *testing.T) {
	for b := Bits(1); b <= 31; b++ {
		if a, leave := b.Lose(0, full, 0); a != b.Full() || !leave {
			t.Errorf("%d bits: a round trip gives %d, %v", b, a, leave)
		}
		if a, leave := b.Lose(b.Full(), full, RoundUp); a != b.Full() || !leave {
			t.Errorf("%d bits: full and more gives %d, %v", b, a, leave)
		}
		if a, leave := b.Lose(b.Full()-1, 1, RoundUp); a != b.Full() || !leave {
			t.Errorf("%d bits: the last unit gives %d, %v", b, a, leave)
		}
		if a, leave := b.Lose(0, 0, RoundUp); a != 0 || leave {
			t.Errorf("%d bits: no loss gives %d, %v", b, a, leave)
		}
		if a := b.Gain(1, full, RoundUp); a != 0 {
			t.Errorf("%d bits: gains below zero give %d", b, a)
		}
	}
	if a := Bits(8).Gain(10, full/255+1, 0); a != 9 {
		t.Errorf("10 units less one: %d", a)
	}
}

func TestPolicy(t *testing.T) {
	var zero Policy
	if zero != Adaptive || Fixed(2+1) != Fixed(3) || Fixed(0) == Adaptive {
		t.Error("policies do not compare as they should")
	}
	for p, want := range map[Policy]string{Adaptive: "adaptive", Fixed(0): "fixed(0)", Fixed(1234): "fixed(1234)"} {
		if got := fmt.Sprint(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var s Setting
	if s.Load() != Adaptive {
		t.Error("the zero Setting is not adaptive")
	}
	if s.Store(Fixed(4)); s.Load() != Fixed(4) {
		t.Error("the stored policy is lost")
	}
	defer func() {
		if r := recover(); r != "hysteresis: negative count" {
			t.Errorf("Fixed(-1): %v", r)
		}
	}()
	Fixed(-1)
}
