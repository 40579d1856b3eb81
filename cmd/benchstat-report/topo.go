// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/turnstile-go/turnstile/numa"
)

var topoCommand = &command{
	name:  "topo",
	about: "draw the CPUs, caches and memory nodes of this machine",
	help: `Topo draws what contains what, from packages and nodes down to cores in brackets
with their CPUs. With -root it reads a recorded tree instead of this machine: a
directory that holds sys/ and, where present, proc/.`,
}

func init() { topoCommand.run = runTopo }

func runTopo(e *env, args []string) error {
	fset := topoCommand.flags()
	root := fset.String("root", "", "read the tree under `directory` instead of this machine's")
	format := fset.String("format", "text", "write `format`: text, json")
	out := fset.String("o", "", "write to `file` (default, and -, standard output)")
	rest, err := topoCommand.parse(e, fset, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return unusablef("topo: argument %q; want flags only (-root names a tree)", rest[0])
	case *format != "text" && *format != "json":
		return unusablef("-format %q: want one of text, json", *format)
	}
	t, err := topology(*root)
	if err != nil {
		return err
	}
	text := []byte(t.String())
	if *format == "json" {
		if text, err = json.MarshalIndent(t, "", "  "); err != nil {
			return err
		}
		text = append(text, '\n')
	}
	return write(e, *out, text)
}

// topology reads the tree under root, or this machine's.
func topology(root string) (*numa.Topology, error) {
	if root == "" {
		return numa.Host()
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		} else if err == nil {
			err = errors.New("not a directory")
		}
		return nil, unusablef("-root %s: %v; want a directory that holds sys/", root, err)
	}
	t, err := numa.Read(os.DirFS(root))
	if err != nil {
		return nil, unusable(fmt.Errorf("-root %s: %w", root, err))
	}
	return t, nil
}
