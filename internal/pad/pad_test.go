// SPDX-License-Identifier: BSD-3-Clause

package pad

import (
	"testing"
	"unsafe"
)

func TestLineKeepsNeighboursApart(t *testing.T) {
	var s struct {
		a uint32
		_ Line
		b uint32
	}
	if got := unsafe.Offsetof(s.b) - unsafe.Offsetof(s.a); got < CacheLine {
		t.Errorf("fields around a Line are %d bytes apart, want at least %d", got, CacheLine)
	}
	if CacheLine&(CacheLine-1) != 0 {
		t.Errorf("CacheLine = %d, want a power of two", CacheLine)
	}
}
