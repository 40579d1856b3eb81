// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package sync

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

const callSites = `package main

import (
	std "sync"

	ours "` + ourPath + `"
)

%s
func main() {
	var s std.Mutex
	var o ours.Mutex
%s}
`

// callSiteBytes returns how many bytes of code one more call of each method takes: a
// sixteenth of the difference between functions with eighteen calls and with two, for
// functions are padded to a multiple of up to 64 bytes.
func callSiteBytes(t *testing.T) map[string]int {
	var funcs, uses strings.Builder
	for _, pkg := range []string{"std", "ours"} {
		for _, method := range []string{"Lock", "Unlock"} {
			for _, n := range []int{2, 18} {
				name := fmt.Sprintf("%s%s%d", pkg, method, n)
				fmt.Fprintf(&funcs, "//go:noinline\nfunc %s(m *%s.Mutex) {%s\n}\n", name, pkg, strings.Repeat("\n\tm."+method+"()", n))
				fmt.Fprintf(&uses, "\t%s(&%s)\n", name, pkg[:1])
			}
		}
	}
	program := buildProgram(t, fmt.Sprintf(callSites, funcs.String(), uses.String()), "-tags="+buildTags)
	sizes := map[string]int{}
	for line := range strings.Lines(goTool(t, ".", "tool", "nm", "-size", program)) {
		f := strings.Fields(line) // address, size, kind, name
		if len(f) == 4 && strings.HasPrefix(f[3], "main.") {
			sizes[f[3]], _ = strconv.Atoi(f[1])
		}
	}
	out := map[string]int{}
	for _, call := range []string{"stdLock", "stdUnlock", "oursLock", "oursUnlock"} {
		out[call] = (sizes["main."+call+"18"] - sizes["main."+call+"2"]) / 16
	}
	return out
}

// A call site takes no more code than the standard library's: fast paths are copied to
// every one of them. The padding may be worth 4 bytes a call.
func TestCallSiteBytes(t *testing.T) {
	needsGo(t)
	got := callSiteBytes(t)
	for _, method := range []string{"Lock", "Unlock"} {
		std, ours := got["std"+method], got["ours"+method]
		t.Logf("one call of %s: %d bytes, the standard one %d", method, ours, std)
		if std <= 0 || ours <= 0 {
			t.Errorf("%s: sizes %v make no sense", method, got)
		}
		if ours > std+8 {
			t.Errorf("one call of %s takes %d bytes, the standard one %d", method, ours, std)
		}
	}
}
