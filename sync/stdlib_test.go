// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/locktest"
)

const ourModule = "github.com/turnstile-go/turnstile"

// stdTests are the standard library's tests of what this package exports. Those of Map
// and Pool test an alias at length, and are left to the standard library; those of
// OnceFunc link to a hook that the runtime keeps for the standard library's test.
var stdTests = []string{
	"cond_test.go", "example_test.go", "mutex_test.go", "once_test.go", "rwmutex_test.go",
	"waitgroup_test.go",
}

// The standard library's own tests pass on this package. They are taken from the
// installed Go, so that each release brings its own, and run in a module of their own
// that stands inside this one's path, for the internal packages.
func TestStandardLibrarysTests(t *testing.T) {
	needsGo(t)
	locktest.NeedsExec(t) // what go test builds must run here as well
	goroot := strings.TrimSpace(goTool(t, ".", "env", "GOROOT"))
	source := filepath.Join(goroot, "src", "sync")
	var missing []string
	for _, name := range stdTests {
		if _, err := os.Stat(filepath.Join(source, name)); err != nil {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		t.Skipf("NOT TESTED AGAINST THE STANDARD LIBRARY: %s has no %s", source, strings.Join(missing, ", "))
	}

	dir := t.TempDir()
	for _, name := range stdTests {
		write(t, filepath.Join(dir, name), redirect(t, filepath.Join(source, name)))
	}
	root := strings.TrimSpace(goTool(t, ".", "list", "-m", "-f", "{{.Dir}}"))
	write(t, filepath.Join(dir, "go.mod"), fmt.Sprintf(stdGoMod, strconv.Quote(root)))
	write(t, filepath.Join(dir, "testenv", "testenv.go"), stdTestenv)
	write(t, filepath.Join(dir, "hooks_test.go"), stdHooks)

	for _, mode := range []string{"on", "off"} {
		t.Run("asymmetric="+mode, func(t *testing.T) { runStdTests(t, dir, mode, source) })
	}
}

// runStdTests runs the tests in dir with plain-store releases from the start, or never.
func runStdTests(t *testing.T, dir, mode, source string) {
	args := append([]string{"test", "-count=1", "-vet=off"}, buildFlags()...)
	if testing.Short() {
		args = append(args, "-short")
	}
	cmd := exec.Command("go", append(args, "-v", ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GOSUMDB=off", "TURNSTILE_ASYM="+mode)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	passed := strings.Count(string(out), "--- PASS: Test")
	if !strings.Contains(string(out), "--- PASS: TestMutexMisuse") || passed < 15 {
		t.Errorf("only %d tests ran:\n%s", passed, out)
	}
	t.Logf("%d tests of %s passed", passed, source)
}

// redirect returns a file with its imports of sync and internal/testenv replaced.
func redirect(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	to := map[string]string{
		`"sync"`:             strconv.Quote(ourPath),
		`"internal/testenv"`: strconv.Quote(ourModule + "/stdtest/testenv"),
	}
	for i := len(f.Imports) - 1; i >= 0; i-- { // from the end, for offsets to stay right
		path := f.Imports[i].Path
		if new, ok := to[path.Value]; ok {
			at := fset.Position(path.Pos()).Offset
			text = []byte(string(text[:at]) + new + string(text[at+len(path.Value):]))
		}
	}
	return string(text)
}

const stdGoMod = `module ` + ourModule + `/stdtest

go 1.26.0

require ` + ourModule + ` v0.0.0

replace ` + ourModule + ` => %s
`

// stdTestenv stands in for internal/testenv.
const stdTestenv = `package testenv

import (
	"os"
	"testing"
)

func MustHaveExec(t testing.TB) {}

func Executable(t testing.TB) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}
`

// stdHooks stands in for what export_test.go of the standard library exports.
const stdHooks = `package sync_test

import (
	"` + ourModule + `/internal/asym"
	"` + ourModule + `/internal/rt"
)

func init() { _ = asym.Enable() } // an error where the mode is off, or not for this build

var (
	Runtime_Semacquire = rt.Semacquire
	Runtime_Semrelease = rt.Semrelease
)
`
