// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/internal/rt"
)

const ourPath = "github.com/turnstile-go/turnstile/sync"

// beyond lists what this package has and the standard one has not.
var beyond = map[string]bool{"Mutex.LockContext": true}

// Every exported name and method of the standard package is here with the same
// signature, and what is more is listed.
func TestSameNamesAsStandard(t *testing.T) {
	needsGo(t)
	pkgs := load(t, "sync", ourPath)
	std, ours := exported(pkgs[0]), exported(pkgs[1])
	for name, want := range std {
		if got, ok := ours[name]; !ok && tested() {
			t.Errorf("%s is missing", name)
		} else if !ok {
			t.Logf("%s is missing, and new in %s", name, runtime.Version())
		} else if got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for name := range ours {
		if _, ok := std[name]; !ok && !beyond[name] {
			t.Errorf("%s is not in the standard package", name)
		}
	}
}

// tested reports whether this release of Go is one that the package must match.
func tested() bool {
	v := runtime.Version()
	return strings.HasPrefix(v, "go1.26") || strings.HasPrefix(v, "go1.27")
}

// load type-checks packages from the export data of the go command.
func load(t *testing.T, paths ...string) []*types.Package {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, buildFlags()...)
	files := map[string]string{}
	for line := range strings.Lines(goTool(t, ".", append(args, paths...)...)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
	var out []*types.Package
	for _, path := range paths {
		p, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// exported describes every exported name, method and field of p, with the names of
// both packages written alike.
func exported(p *types.Package) map[string]string {
	out := map[string]string{}
	short := func(q *types.Package) string { return q.Name() }
	for _, name := range p.Scope().Names() {
		obj := p.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		out[name] = kind(obj, short)
		tn, ok := obj.(*types.TypeName)
		if !ok {
			continue
		}
		set := types.NewMethodSet(types.NewPointer(tn.Type()))
		if types.IsInterface(tn.Type()) {
			set = types.NewMethodSet(tn.Type())
		}
		for m := range set.Methods() {
			if m.Obj().Exported() {
				out[name+"."+m.Obj().Name()] = types.TypeString(m.Type(), short)
			}
		}
		if s, ok := tn.Type().Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if f.Exported() {
					out[name+"."+f.Name()] = types.TypeString(f.Type(), short)
				}
			}
		}
	}
	return out
}

// kind is the word type, or the signature of a function.
func kind(obj types.Object, short types.Qualifier) string {
	if _, ok := obj.(*types.TypeName); ok {
		return "type"
	}
	return types.TypeString(obj.Type(), short)
}

// A program that only locks pays for nothing else: nothing outside what the standard
// sync and the context of LockContext need but this module's internal packages. (cpuid's detection would cost 0.3 ms
// at start-up, and spin brings it along; the portable hooks do need package time.)
func TestDependencies(t *testing.T) {
	needsGo(t)
	list := append([]string{"list", "-deps"}, buildFlags()...)
	std := strings.Fields(goTool(t, ".", append(list, "sync", "context")...))
	ours := strings.Fields(goTool(t, ".", append(list, ourPath)...))
	for _, dep := range ours {
		internal := dep == ourPath || strings.HasPrefix(dep, "github.com/turnstile-go/turnstile/internal/")
		foreign := strings.Contains(strings.Split(dep, "/")[0], ".") || rt.Hooks == "runtime" && !slices.Contains(std, dep)
		if foreign && !internal {
			t.Errorf("depends on %s", dep)
		}
	}
	if !slices.Contains(ours, "github.com/turnstile-go/turnstile/internal/rt") {
		t.Errorf("internal/rt is no dependency: is this list the right one? %s", ours)
	}
}
