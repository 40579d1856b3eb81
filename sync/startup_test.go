// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/locktest"
)

const oneLock = `package main

import (
	"runtime"

	"%s"
)

func main() {
	var m sync.Mutex
	m.Lock()
	m.Unlock()
	print(runtime.NumGoroutine())
}
`

// A program that locks without contention has no goroutine that it would not have with
// the standard package. What the start costs in time, "go run ./tools/startcost" says.
func TestNoExtraGoroutine(t *testing.T) {
	needsGo(t)
	locktest.NeedsExec(t)
	count := func(path string) string {
		program := buildProgram(t, fmt.Sprintf(oneLock, path), buildFlags()...)
		out, err := exec.Command(program).CombinedOutput()
		if err != nil {
			t.Fatalf("one lock of %s: %v\n%s", path, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if std, ours := count("sync"), count(ourPath); ours != std {
		t.Errorf("%s goroutines with this package, %s with the standard one", ours, std)
	}
}
