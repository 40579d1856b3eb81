// SPDX-License-Identifier: BSD-3-Clause

package numa

import (
	"strings"
	"testing"
)

// TestFlat is what systems other than Linux get.
func TestFlat(t *testing.T) {
	top := flat(3, "why")
	if len(top.CPUs) != 3 || len(top.Nodes) != 1 || top.Nodes[0].CPUs.String() != "0-2" || top.Warnings[0] != "why" ||
		top.Allowed().Len() != 3 || top.Cores() != 3 || top.SMT() != 1 || top.Distance(0, 0) != 0 {
		t.Errorf("got %+v", top)
	}
	if w := flatHost("x").Warnings[0]; !strings.HasPrefix(w, "x: taken as one node with ") {
		t.Errorf("warning %q", w)
	}
	if cpu, ok := top.CPU(2); !ok || cpu.ID != 2 || cpu.Node != 0 || cpu.Die != 0 {
		t.Errorf("CPU 2 is %+v, %v", cpu, ok)
	}
	if _, ok := top.CPU(3); ok {
		t.Error("there is a CPU 3")
	}
}
