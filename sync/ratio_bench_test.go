// SPDX-License-Identifier: BSD-3-Clause

package sync

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	std "sync"
	"testing"

	"github.com/turnstile-go/turnstile/internal/asym"
	"github.com/turnstile-go/turnstile/internal/rt"
)

// BenchmarkPairRatio takes turns of 2000 pairs between the standard Mutex and this one, so
// that what drifts in the machine meets both, and reports the medians of the two times
// and of their ratio.
func BenchmarkPairRatio(b *testing.B) {
	b.Run("mode=asymmetric", func(b *testing.B) {
		defer asym.ReplaceSystem(asym.System{})()
		if err := asym.Enable(); err != nil {
			b.Logf("runs symmetric: %v", err)
		}
		b.Run("word=clear", func(b *testing.B) { pairRatio(b, false) })
		b.Run("word=fenced", func(b *testing.B) { pairRatio(b, true) })
	})
	b.Run("mode=symmetric", func(b *testing.B) {
		defer asym.ReplaceSystem(asym.System{Getenv: func(string) string { return "off" }})()
		b.Run("word=clear", func(b *testing.B) { pairRatio(b, false) })
		b.Run("word=fenced", func(b *testing.B) { pairRatio(b, true) })
	})
}

func pairRatio(b *testing.B, fenced bool) {
	const turn = 2000
	var s std.Mutex
	var o Mutex
	var ours, theirs, ratio []float64
	for b.Loop() {
		if fenced {
			o.mu.Fence()
		}
		t0 := rt.Nanotime()
		for range turn {
			s.Lock()
			s.Unlock() //lint:ignore SA2001 the pair alone is measured
		}
		t1 := rt.Nanotime()
		for i := range turn {
			o.Lock()
			o.Unlock()                  //lint:ignore SA2001 the pair alone is measured
			if fenced && i%200 == 199 { // before 256 quiet releases clear it
				o.mu.Fence()
			}
		}
		t2 := rt.Nanotime()
		theirs = append(theirs, float64(t1-t0)/turn)
		ours = append(ours, float64(t2-t1)/turn)
		ratio = append(ratio, float64(t2-t1)/float64(t1-t0))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(theirs), "std-ns/pair")
	b.ReportMetric(median(ours), "ns/pair")
	b.ReportMetric(median(ratio), "ratio")
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// BenchmarkCold walks a buffer between pairs, larger than the last-level cache, so that
// lock and mode word come from memory.
func BenchmarkCold(b *testing.B) {
	defer asym.ReplaceSystem(asym.System{})()
	if err := asym.Enable(); err != nil {
		b.Logf("runs symmetric: %v", err)
	}
	buf := make([]byte, 256<<20)
	var s std.Mutex
	var o Mutex
	var ours, theirs []float64
	pair := func(l Locker) {
		l.Lock()
		l.Unlock() //lint:ignore SA2001 the pair alone is measured
	}
	for i := 0; b.Loop(); i++ {
		for j := 0; j < len(buf); j += 64 {
			buf[j]++
		}
		t := rt.Nanotime()
		if i%2 == 0 {
			pair(&s)
		} else {
			pair(&o)
		}
		if d := float64(rt.Nanotime() - t); i%2 == 0 {
			theirs = append(theirs, d)
		} else {
			ours = append(ours, d)
		}
	}
	if len(ours) == 0 {
		return
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(theirs), "std-ns/pair")
	b.ReportMetric(median(ours), "ns/pair")
	b.ReportMetric(median(ours)/median(theirs), "ratio")
}

const callSiteProgram = `package main

import (
	"slices"
	std "sync"
	"time"

	ours "` + ourPath + `"
)

var s std.Mutex
var o ours.Mutex

%s
func main() {
	var w ours.Mutex // somebody has to wait before releases become plain stores
	w.Lock()
	go w.Unlock()
	w.Lock()
	time.Sleep(100 * time.Millisecond)
	var a, b []int64
	for range 400 {
		t0 := time.Now()
		for range %[2]d {
			theirsAll()
		}
		t1 := time.Now()
		for range %[2]d {
			oursAll()
		}
		a, b = append(a, int64(t1.Sub(t0))), append(b, int64(time.Since(t1)))
	}
	slices.Sort(a)
	slices.Sort(b)
	println(a[200], b[200])
}
`

// BenchmarkCallSites runs pairs at so many places of the code, one after the other: a
// fast path that is copied to each of them takes room in the instruction cache.
func BenchmarkCallSites(b *testing.B) {
	for _, sites := range []int{1, 64, 4096} {
		b.Run(fmt.Sprintf("callsites=%d", sites), func(b *testing.B) {
			var funcs strings.Builder
			for name, lock := range map[string]string{"theirsAll": "s", "oursAll": "o"} {
				fmt.Fprintf(&funcs, "//go:noinline\nfunc %s() {\n%s}\n", name,
					strings.Repeat("\t"+lock+".Lock()\n\t"+lock+".Unlock()\n", sites))
			}
			rounds := 4096 / sites
			dir := b.TempDir()
			write(b, dir+"/main.go", fmt.Sprintf(callSiteProgram, funcs.String(), rounds))
			if out, err := exec.Command("go", "build", "-o", dir+"/program.exe", dir+"/main.go").CombinedOutput(); err != nil {
				b.Fatalf("go build: %v\n%s", err, out)
			}
			var theirs, ours, ratio float64
			for b.Loop() {
				out, err := exec.Command(dir + "/program.exe").CombinedOutput()
				f := strings.Fields(string(out))
				if err != nil || len(f) != 2 {
					b.Fatalf("%v: %s", err, out)
				}
				theirs, _ = strconv.ParseFloat(f[0], 64)
				ours, _ = strconv.ParseFloat(f[1], 64)
				ratio = ours / theirs
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(theirs/4096, "std-ns/pair")
			b.ReportMetric(ours/4096, "ns/pair")
			b.ReportMetric(ratio, "ratio")
		})
	}
}
