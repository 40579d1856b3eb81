// SPDX-License-Identifier: BSD-3-Clause

// Startcost measures what the drop-in adds to the start of a program that locks once.
//
// It builds the same one-lock program with the standard sync and with this module's,
// starts both in turn, and prints the median of each, the median of the differences
// with its 95 % interval, the size of both and the number of goroutines each has at its
// end. It does so twice: for a program that imports nothing else, and for one that has
// package context from elsewhere, as any has that uses fmt, os or net: LockContext makes
// the drop-in import it, and its dependencies' initialisation is what a bare program pays.
// Run it inside the module, on a machine with nothing else to do:
//
//	go run ./tools/startcost -n 200
//
// It exits with 1 when something fails or the goroutines differ. The time is printed
// and decides nothing.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const oneLock = `package main

import (
	%s"runtime"

	"%s"
)

func main() {
	var m sync.Mutex
	m.Lock()
	m.Unlock()
	print(runtime.NumGoroutine())
}
`

// program is one of the two, built.
type program struct {
	name, path string
	goroutines string
	size       int64
	starts     []time.Duration
}

func main() {
	n := flag.Int("n", 200, "starts of each program")
	flag.Parse()
	if *n < 10 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "startcost: -n must be 10 or more, and there are no other arguments")
		os.Exit(2)
	}
	for _, also := range []string{"", "context"} {
		fmt.Println(strings.TrimSuffix("a program that imports sync and "+also, " and "))
		if err := run(*n, also); err != nil {
			fmt.Fprintln(os.Stderr, "startcost:", err)
			os.Exit(1)
		}
	}
}

// run compares two programs that also import the package named, if it is not empty.
func run(n int, also string) error {
	dir, err := os.MkdirTemp("", "startcost")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	std, err := build(dir, "std", "sync", also)
	if err != nil {
		return err
	}
	ours, err := build(dir, "turnstile", "github.com/turnstile-go/turnstile/sync", also)
	if err != nil {
		return err
	}
	for i := range n + 1 { // the first round warms the page cache and is thrown away
		pair := []*program{std, ours}
		if i%2 == 1 {
			slices.Reverse(pair)
		}
		for _, p := range pair {
			if err := p.start(i > 0); err != nil {
				return err
			}
		}
	}
	report(std, ours)
	if std.goroutines != ours.goroutines {
		return fmt.Errorf("%s goroutines with turnstile, %s with std", ours.goroutines, std.goroutines)
	}
	return nil
}

// build compiles the one-lock program over the package at path.
func build(dir, name, path, also string) (*program, error) {
	source := filepath.Join(dir, name+".go")
	p := &program{name: name, path: filepath.Join(dir, name+".exe")}
	if also != "" {
		also = fmt.Sprintf("_ %q\n\t", also)
	}
	if err := os.WriteFile(source, fmt.Appendf(nil, oneLock, also, path), 0o666); err != nil {
		return nil, err
	}
	if out, err := exec.Command("go", "build", "-o", p.path, source).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building with %s: %v: %s", path, err, out)
	}
	info, err := os.Stat(p.path)
	if err != nil {
		return nil, err
	}
	p.size = info.Size()
	return p, nil
}

// start runs the program once, from fork to exit.
func (p *program) start(keep bool) error {
	cmd := exec.Command(p.path)
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(begin)
	if err != nil {
		return fmt.Errorf("starting with %s: %v: %s", p.name, err, out)
	}
	p.goroutines = strings.TrimSpace(string(out))
	if keep {
		p.starts = append(p.starts, took)
	}
	return nil
}

func report(std, ours *program) {
	for _, p := range []*program{std, ours} {
		sorted := slices.Sorted(slices.Values(p.starts))
		fmt.Printf("%-10s median %7.1f us  goroutines %s  bytes %d\n", p.name, us(sorted[len(sorted)/2]), p.goroutines, p.size)
	}
	diffs := make([]time.Duration, len(std.starts))
	for i := range diffs {
		diffs[i] = ours.starts[i] - std.starts[i]
	}
	slices.Sort(diffs)
	lo, hi := medianInterval(len(diffs))
	fmt.Printf("difference median %+.1f us, 95 %% interval %+.1f to %+.1f us, %d pairs\n",
		us(diffs[len(diffs)/2]), us(diffs[lo]), us(diffs[hi]), len(diffs))
}

// medianInterval returns the ranks of n sorted values between which the median lies
// with 95 % confidence, by the normal approximation of the binomial.
func medianInterval(n int) (lo, hi int) {
	half := 1.96 * math.Sqrt(float64(n)) / 2
	lo = max(0, int(math.Floor(float64(n)/2-half)))
	hi = min(n-1, int(math.Ceil(float64(n)/2+half)))
	return lo, hi
}

func us(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
