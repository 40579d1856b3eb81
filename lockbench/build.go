// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import "runtime/debug"

// modulePath is the module of this package.
const modulePath = "github.com/turnstile-go/turnstile"

// moduleVersion is the version of this module in the program, nothing where the
// toolchain did not put one into it, as in a test of this module.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return versionIn(info)
}

// versionIn looks for this module among those of a program. One that was replaced
// by a folder has no version of its own.
func versionIn(info *debug.BuildInfo) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != modulePath {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version != "(devel)" {
			return m.Version
		}
	}
	return ""
}

// commit is the revision this program was built from, where the toolchain put it
// into the program.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var revision, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if revision == "" {
		return ""
	}
	return revision[:min(len(revision), 12)] + modified
}
