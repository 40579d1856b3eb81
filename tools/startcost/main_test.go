// SPDX-License-Identifier: BSD-3-Clause

package main

import "testing"

// For 200 pairs the binomial puts the median between the 86th and the 115th value with
// 95 % confidence: ranks 85 and 114 from zero, within the approximation's one.
func TestMedianInterval(t *testing.T) {
	if lo, hi := medianInterval(200); lo < 85 || lo > 86 || hi < 113 || hi > 114 {
		t.Errorf("ranks %d and %d of 200, want about 85 and 114", lo, hi)
	}
	if lo, hi := medianInterval(10); lo < 0 || hi > 9 {
		t.Errorf("ranks %d and %d of 10", lo, hi)
	}
}
