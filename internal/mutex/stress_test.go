// SPDX-License-Identifier: BSD-3-Clause

package mutex

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/turnstile-go/turnstile/internal/asym"
)

// stressOps is how many sections a stress test does; TURNSTILE_OPS sets it.
func stressOps() int {
	if n, err := strconv.Atoi(os.Getenv("TURNSTILE_OPS")); err == nil {
		return n
	}
	if testing.Short() {
		return 20_000
	}
	return 200_000
}

// TestStress takes a lock in every way there is while the number of Ps changes, the
// garbage collector runs and, in the asymmetric mode, the mode is left and entered. A
// section that overlaps another breaks the counter; a lost wake-up hangs the test.
func TestStress(t *testing.T) {
	for _, workers := range []int{2, 4, 64} {
		t.Run("goroutines="+strconv.Itoa(workers), func(t *testing.T) {
			modes(t, func(t *testing.T) { stress(t, workers, stressOps()) })
		})
	}
}

func stress(t *testing.T, workers, ops int) {
	var m Mutex
	inside, done := 0, make([]int, workers)
	stop := make(chan struct{})
	var noise, wg sync.WaitGroup
	noise.Go(func() { disturb(stop) })
	for g := range workers {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(g), 1))
			for range ops / workers {
				if !stressTake(&m, rnd) {
					continue
				}
				inside++
				done[g]++
				for range rnd.IntN(4) * rnd.IntN(40) {
					runtime.KeepAlive(rnd)
				}
				if rnd.IntN(1000) == 0 {
					runtime.Gosched()
				}
				m.Unlock()
			}
		})
	}
	wg.Wait()
	close(stop)
	noise.Wait()
	sum := 0
	for _, n := range done {
		sum += n
	}
	if inside != sum {
		t.Errorf("%d sections left a counter at %d", sum, inside)
	}
	if !m.Idle() {
		t.Errorf("left behind: locked %d, ctl %#x, %d waiters", m.locked(), m.load(), m.Waiters())
	}
}

func stressTake(m *Mutex, rnd *rand.Rand) bool {
	switch rnd.IntN(20) {
	case 0:
		return m.TryLock()
	case 1:
		ctx, cancel := context.WithCancel(context.Background())
		if n := rnd.IntN(3); n == 0 {
			cancel()
		} else if n == 1 {
			go cancel()
		}
		defer cancel()
		return m.LockContext(ctx) == nil
	case 2:
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rnd.IntN(20))*time.Microsecond)
		defer cancel()
		return m.LockContext(ctx) == nil
	}
	m.Lock()
	return true
}

// disturb changes GOMAXPROCS, collects garbage and switches the mode until stop.
func disturb(stop chan struct{}) {
	was := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(was)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	asymmetric := asym.Barriers && asym.Mode() == asym.Asymmetric
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		switch i % 4 {
		case 0:
			runtime.GOMAXPROCS(1 + i/4%5)
		case 1:
			runtime.GC()
		case 2:
			if asymmetric {
				asym.ReplaceSystem(asym.System{Getenv: func(string) string { return "off" }})
			}
		case 3:
			if asymmetric {
				asym.ReplaceSystem(asym.System{})
				asym.Enable()
			}
		}
	}
}
