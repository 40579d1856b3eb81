// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package sync

import (
	"os/exec"
	"strings"
	"testing"
)

// The fast paths inline: a call would cost more than what it calls.
func TestFastPathsInline(t *testing.T) {
	needsGo(t)
	out, err := exec.Command("go", "build", "-tags="+buildTags, "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, f := range []string{"Lock", "TryLock", "Unlock"} {
		if !strings.Contains(string(out), "can inline (*Mutex)."+f+"\n") {
			t.Errorf("(*Mutex).%s does not inline", f)
		}
	}
}
