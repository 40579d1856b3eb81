// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"strings"
)

var helpCommand = &command{
	name:  "help",
	args:  "[COMMAND]",
	about: "explain a command",
	help:  "Help prints the list of commands, or how one of them is used.",
}

func init() { helpCommand.run = runHelp }

func runHelp(e *env, args []string) error {
	fs := helpCommand.flags()
	args, err := helpCommand.parse(e, fs, args)
	switch {
	case err != nil:
		return err
	case len(args) > 1:
		return unusablef("help: %d arguments; want one command, one of %s", len(args), names())
	case len(args) == 1:
		c := find(args[0])
		if c == nil {
			return unusablef("help: unknown command %q; want one of %s", args[0], names())
		}
		return c.run(e, []string{"-h"})
	}
	return e.print(overview())
}

// overview is the help without a command.
func overview() string {
	var b strings.Builder
	b.WriteString(`benchstat-report measures what lock contention costs on this machine and reports
it against the standard library's mutex.

usage: benchstat-report [COMMAND [flags] [arguments]]

Without a command it runs the quick suite, about a minute, prints the tables of
throughput, 99.9th percentile and longest wait (all tables with run -all) and
writes report.html and report.txt: the same as benchstat-report run.

`)
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-6s %-10s %s\n", c.name, c.args, c.about)
	}
	b.WriteString(`
benchstat-report COMMAND -h lists the flags of a command; benchstat-report -version
prints the version, the commit and the Go release it was built from.

Exit status: 0 success; 1 error; 2 unusable arguments or input; 130 interrupted
(what was measured until then is written and shown).
`)
	return b.String()
}
