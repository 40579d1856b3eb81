// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/page"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/render"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// A renderer writes a report in one format.
type renderer func(io.Writer, *report.Report) error

// formats are the values of -format, in the order help lists them.
var formats = []struct {
	name  string
	write renderer
}{
	{"text", render.Text},
	{"csv", render.CSV},
	{"json", render.JSON},
	{"markdown", render.Markdown},
	{"html", page.Write},
}

func formatNames() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

func formatByName(name string) (renderer, error) {
	for _, f := range formats {
		if f.name == name {
			return f.write, nil
		}
	}
	return nil, unusablef("-format %q: want one of %s", name, formatNames())
}

// cannotWrite puts a failure to write into one line.
func cannotWrite(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("cannot write %s: %w; want a file in a directory you may write to", path, err)
}

// emit renders a report and writes it to path, or to stdout where path is empty.
func emit(e *env, path string, render renderer, rep *report.Report) error {
	var buf bytes.Buffer // a failure to render leaves no half a file
	if err := render(&buf, rep); err != nil {
		return err
	}
	return write(e, path, buf.Bytes())
}

// write writes text to path, or to stdout where path is empty or "-".
func write(e *env, path string, text []byte) error {
	if path == "" || path == "-" {
		return e.print(string(text))
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return cannotWrite(path, err)
	}
	return nil
}

// print writes to standard output, which may be a full disk.
func (e *env) print(text string) error {
	_, err := io.WriteString(e.stdout, text)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if err != nil {
		return fmt.Errorf("cannot write to standard output: %w", err)
	}
	return nil
}
