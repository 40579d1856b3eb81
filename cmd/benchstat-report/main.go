// SPDX-License-Identifier: BSD-3-Clause

package main

import "os"

func main() {
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(dispatch(e, os.Args[1:]))
}
