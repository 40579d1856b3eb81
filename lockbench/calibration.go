// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/turnstile-go/turnstile/spin"
)

// A Calibration says what this machine and this harness do to measurements.
type Calibration struct {
	// Spin2Ratio is the work two goroutines on two threads get done over the work
	// of one: near 2 they had a CPU each, near 1 they shared one, in between the
	// two CPUs are hardware threads of one core or the host is busy. Without two
	// usable CPUs it is near 1.
	Spin2Ratio float64
	PauseNs    float64 // one round of spin.Pause
	DelayNs    float64 // what spin.Delay(1us) takes
	ClockNs    float64 // reading the clock; a timed wait includes one reading
	Hold50Ns   float64 // what the work for a hold of 50 ns takes
	Lost       float64 // share of a busy CPU's time that went to others: other programs, interrupts, the host
	HarnessNs  float64 // an acquisition without lock and work: what the harness adds to ns/op
}

// String returns the calibration in one line.
func (c Calibration) String() string {
	return fmt.Sprintf("two spinners do %.2f times the work of one; spin.Pause %.1f ns, spin.Delay(1us) %.0f ns; "+
		"clock %.1f ns; a hold of 50 ns takes %.1f ns; the harness %.1f ns an acquisition; %.0f %% of a busy CPU lost to others",
		c.Spin2Ratio, c.PauseNs, c.DelayNs, c.ClockNs, c.Hold50Ns, c.HarnessNs, 100*c.Lost)
}

// Calibrate measures a Calibration, which takes about a tenth of a second. Nothing
// else should run meanwhile. When ctx ends, it returns an error that matches it.
func Calibrate(ctx context.Context) (Calibration, error) {
	c := Calibration{
		PauseNs: spin.Features().PauseNs,
		ClockNs: clockCost(),
	}
	fifty := measuredPace().rounds(50)
	c.Hold50Ns = timeCalls(20_000, fifty)
	c.DelayNs = delayNs()
	c.Lost = lostShare()
	var err error
	if c.HarnessNs, err = harnessNs(ctx); err != nil {
		return Calibration{}, err
	}
	if c.Spin2Ratio, err = spin2Ratio(ctx); err != nil {
		return Calibration{}, err
	}
	return c, nil
}

// lostShare is the share lost by threads that compute on as many CPUs as the two
// spinners use. One thread would find the CPU that another program leaves free.
func lostShare() float64 {
	shares := make([]float64, min(2, UsableCPUs()))
	var threads sync.WaitGroup
	for i := range shares {
		threads.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			shares[i] = lostHere()
		})
	}
	threads.Wait()
	var sum float64
	for _, s := range shares {
		sum += s
	}
	return sum / float64(len(shares))
}

// lostHere compares the mean of batches of work with an undisturbed one. Threads
// that share a core slow all batches alike, which is no loss; a program that takes
// the CPU away for a while makes a few of them long.
func lostHere() float64 {
	const batches, rounds = 1000, 20_000
	took := make([]float64, batches)
	x, start := uint(0), now()
	for i := range took {
		begin := now()
		x = compute(x, rounds)
		took[i] = float64(now() - begin)
	}
	runtime.KeepAlive(x)
	total := float64(now()-start) - batches*clockCost()
	return max(0, 1-batches*quartile(took)/total)
}

// delayNs returns the median of what spin.Delay takes for a microsecond.
func delayNs() float64 {
	var took []float64
	for range 101 {
		start := now()
		spin.Delay(time.Microsecond)
		took = append(took, float64(now()-start)-clockCost())
	}
	return median(took)
}

// noLock excludes nothing. One goroutine alone may use it.
type noLock struct{}

func (noLock) Lock()   {}
func (noLock) Unlock() {}

// harnessNs returns the time of an acquisition with the lock left out.
func harnessNs(ctx context.Context) (float64, error) {
	best := math.Inf(1)
	for range 3 {
		r, err := runAgain(ctx, func() sync.Locker { return noLock{} }, Load{Goroutines: 1}, 5*time.Millisecond)
		if err != nil {
			return 0, err
		}
		best = min(best, r.NsPerOp())
	}
	return best, nil
}

// spin2Ratio compares spinners in turns, one and two, so that a drift of the
// machine's speed meets both. The median leaves out turns that something else
// on the machine disturbed.
func spin2Ratio(ctx context.Context) (float64, error) {
	const turns, length = 9, 4 * time.Millisecond
	var ratios []float64
	for range turns {
		if err := ended(ctx); err != nil {
			return 0, err
		}
		one := spinners(1, length)
		two := spinners(2, length)
		ratios = append(ratios, two/one)
	}
	return median(ratios), nil
}

// spinners returns the rounds a nanosecond that n locked threads compute together.
func spinners(n int, length time.Duration) float64 {
	var threads sync.WaitGroup
	speed := make([]float64, n)
	start := now() + int64(200*time.Microsecond) // time for the threads to get going
	for i := range n {
		threads.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			speed[i] = float64(spinUntil(start, start+int64(length))) / float64(length)
		})
	}
	threads.Wait()
	var sum float64
	for _, s := range speed {
		sum += s
	}
	return sum
}

// spinUntil computes from start to end and returns the rounds. One that had no
// CPU meanwhile returns few, or none.
func spinUntil(start, end int64) (rounds int) {
	const batch = 5000 // about 5 microseconds
	x := uint(start)
	for now() < start {
		x = compute(x, batch/50)
	}
	for now() < end {
		x = compute(x, batch)
		rounds += batch
	}
	runtime.KeepAlive(x)
	return rounds
}

// median returns the middle of values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
