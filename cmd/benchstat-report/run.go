// SPDX-License-Identifier: BSD-3-Clause

package main

var runCommand = &command{name: "run", run: func(e *env, args []string) error { return nil }}
var topoCommand = &command{name: "topo", run: func(e *env, args []string) error { return nil }}
