// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/race"
)

// needsGo skips t where there is no go command to ask, or none of this release.
func needsGo(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("go", "version").CombinedOutput(); err != nil {
		t.Skipf("no go command here: %v\n%s", err, out)
	}
}

// goTool runs the go command in dir and returns what it prints on standard output.
func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, errs.String())
	}
	return string(out)
}

// buildFlags are the flags that make the go command build what this test is built of.
func buildFlags() []string {
	flags := []string{"-tags=" + buildTags}
	if race.Enabled {
		flags = append(flags, "-race")
	}
	return flags
}

// buildProgram builds one file outside this module as if it were inside, and returns
// the path of the program.
func buildProgram(t *testing.T, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	write(t, file, source)
	program := filepath.Join(dir, "program.exe")
	args := append([]string{"build", "-o", program}, flags...)
	goTool(t, ".", append(args, file)...)
	return program
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
