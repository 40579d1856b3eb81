// SPDX-License-Identifier: BSD-3-Clause

package lockbench_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/lockbench"
)

var (
	suiteFlag = flag.String("suite", "grid", "the suite that BenchmarkGrid runs")
	locksFlag = flag.String("locks", "", "the locks that BenchmarkGrid runs, with commas between, or all")
)

// gridBenchtime is the -benchtime when none is given. The second that go test
// takes otherwise would keep the grid from ending within go test's 10 minutes.
const gridBenchtime = "100ms"

func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.benchtime" })
	if !given {
		if err := flag.Set("test.benchtime", gridBenchtime); err != nil {
			fmt.Fprintln(os.Stderr, "lockbench:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// BenchmarkGrid runs a suite of the grid, by default all of it on std and
// turnstile: go test -bench Grid ./lockbench -suite quick -locks std,ticket
func BenchmarkGrid(b *testing.B) {
	s, err := lockbench.SuiteByName(*suiteFlag)
	if err != nil {
		b.Fatal(err)
	}
	names := s.Locks
	switch *locksFlag {
	case "":
	case "all":
		names = lockbench.LockNames()
	default:
		names = strings.Split(*locksFlag, ",")
	}
	locks, err := lockbench.Locks(names...)
	if err != nil {
		b.Fatal(err)
	}
	lockbench.BenchSuite(b, s, locks...)
}

// BenchmarkPeers runs every known lock under three loads: alone, one goroutine a
// CPU of a small machine, and several.
func BenchmarkPeers(b *testing.B) {
	locks, err := lockbench.Locks(lockbench.LockNames()...)
	if err != nil {
		b.Fatal(err)
	}
	lockbench.BenchSuite(b, lockbench.Suite{Loads: []lockbench.Load{
		{Goroutines: 1},
		{Goroutines: 2, Hold: 50, Think: time.Microsecond},
		{Goroutines: 16, Hold: 50, Think: time.Microsecond},
	}}, locks...)
}
