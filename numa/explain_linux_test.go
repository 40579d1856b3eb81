// SPDX-License-Identifier: BSD-3-Clause

package numa

import "testing"

func TestExplain(t *testing.T) {
	present, online := CPUSetOf(0, 1, 2, 3, 4, 5), CPUSetOf(0, 1, 4, 5)
	for set, want := range map[CPUSet]string{
		CPUSetOf(3):                "CPU 3 is offline",
		CPUSetOf(2, 3):             "CPUs 2-3 are offline",
		CPUSetOf(9):                "CPU 9 does not exist",
		CPUSetOf(1, 4):             "CPUs 1,4 are outside the cpuset of this process",
		CPUSetOf(1, 2, 8, 9):       "CPUs 8-9 do not exist, CPU 2 is offline, CPU 1 is outside the cpuset of this process",
		CPUSetOf(0, 1, 2, 3, 4, 5): "CPUs 2-3 are offline, CPUs 0-1,4-5 are outside the cpuset of this process",
	} {
		if got := explain(set, present, online); got != want {
			t.Errorf("%v: got %q, want %q", set, got, want)
		}
	}
}
