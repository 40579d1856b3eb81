// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "init: runs only inside a Linux guest")
	os.Exit(2)
}
