// SPDX-License-Identifier: BSD-3-Clause

package spin

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// goCommand runs the go command with env added, and skips the test where there is none.
func goCommand(t *testing.T, env []string, args ...string) string {
	t.Helper()
	bin, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is missing:", err)
	}
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// What is said to be inlined is inlined, in a build without tags.
func TestInlined(t *testing.T) {
	env := []string{"GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}
	out := goCommand(t, env, "build", "-gcflags=-m", ".")
	for _, f := range []string{"(*Ticket).Lock", "(*Ticket).TryLock", "(*Ticket).Unlock", "free", "distance", "succ"} {
		if !strings.Contains(out, "can inline "+f+"\n") {
			t.Errorf("%s is not inlined", f)
		}
	}
}
