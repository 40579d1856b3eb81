// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Exit statuses.
const (
	exitOK          = 0
	exitError       = 1   // something failed that was not the caller's doing
	exitUnusable    = 2   // unusable arguments or input
	exitInterrupted = 130 // Ctrl-C, as shells report it
)

// A failure is an error with its exit status.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// unusable marks an error as the arguments' or the input's fault.
func unusable(err error) error {
	if err == nil {
		return nil
	}
	return &failure{exitUnusable, err}
}

func unusablef(format string, args ...any) error {
	return unusable(fmt.Errorf(format, args...))
}

// An env is what a command may touch of the process.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// A command is one of the words after benchstat-report.
type command struct {
	name  string
	args  string // what follows the flags
	about string // one line for the list
	help  string // more for the command's own -h
	run   func(e *env, args []string) error
}

// commands is filled by init because the help command lists it.
var commands []*command

func init() {
	commands = []*command{runCommand, showCommand, topoCommand, helpCommand}
}

func find(name string) *command {
	for _, c := range commands {
		if c.name == name {
			return c
		}
	}
	return nil
}

// dispatch runs one command line and returns the exit status.
func dispatch(e *env, args []string) int {
	err := execute(e, args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	fmt.Fprintf(e.stderr, "benchstat-report: %s\n", oneLine(err.Error()))
	var f *failure
	if errors.As(err, &f) {
		return f.status
	}
	return exitError
}

// oneLine keeps an error to a line, whatever a library put into it.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

func execute(e *env, args []string) error {
	if len(args) == 0 {
		return runCommand.run(e, nil)
	}
	switch name := args[0]; {
	case name == "-h" || name == "-help" || name == "--help":
		return helpCommand.run(e, args[1:])
	case name == "-version" || name == "--version":
		if len(args) > 1 {
			return unusablef("%s: argument %q; want none", name, args[1])
		}
		return printVersion(e)
	case strings.HasPrefix(name, "-"):
		return unusablef("flag %s before a command; want benchstat-report COMMAND [flags], or no arguments at all; see benchstat-report help", name)
	case find(name) != nil:
		return find(name).run(e, args[1:])
	default:
		return unusablef("unknown command %q; want one of %s", name, names())
	}
}

func names() string {
	var all []string
	for _, c := range commands {
		all = append(all, c.name)
	}
	return strings.Join(all, ", ")
}

// flags returns the flag set of a command. It prints nothing by itself.
func (c *command) flags() *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parse reads flags that may stand before or after the other arguments, which it
// returns. "--" ends the flags.
func (c *command) parse(e *env, fs *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, cmp.Or(e.print(c.usage(fs)), err)
		}
		if err != nil {
			return nil, unusablef("%s: %v; see benchstat-report %s -h", c.name, err, c.name)
		}
		ended := len(args) > fs.NArg() && args[len(args)-fs.NArg()-1] == "--"
		args = fs.Args()
		if len(args) == 0 || ended {
			return append(rest, args...), nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// usage is a command's help.
func (c *command) usage(fs *flag.FlagSet) string {
	line := "usage: benchstat-report " + c.name
	n := 0
	fs.VisitAll(func(*flag.Flag) { n++ })
	if n > 0 {
		line += " [flags]"
	}
	if c.args != "" {
		line += " " + c.args
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", line, strings.TrimSpace(c.help))
	if n > 0 {
		b.WriteString("\nFlags may stand before or after other arguments.\n")
		fs.SetOutput(&b)
		fs.PrintDefaults()
		fs.SetOutput(io.Discard)
	}
	return b.String()
}
