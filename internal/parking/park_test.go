// SPDX-License-Identifier: BSD-3-Clause

package parking

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/rt"
)

type key = unsafe.Pointer

func yes(key) bool { return true }

func wake(key, Queue) (Verdict, Token) { return Wake, 7 }

// await returns when n goroutines sleep on k.
func await(k key, n int) {
	for Len(k) != n {
		runtime.Gosched()
	}
}

func TestSizes(t *testing.T) {
	if a, b := unsafe.Sizeof(buckets[0]), unsafe.Sizeof(perP[0]); a%64 != 0 || b%64 != 0 {
		t.Errorf("a bucket has %d bytes, a list %d: neighbours share lines", a, b)
	}
}

// Random operations on one bucket against a map of slices.
func TestBucketAgainstModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b bucket
		cells := make([]uint64, 1+rnd.IntN(20))
		model := map[key][]*waiter{}
		var all []*waiter
		for range 300 {
			k := key(&cells[rnd.IntN(len(cells))])
			if rnd.IntN(2) == 0 || len(all) == 0 {
				w := &waiter{key: k, since: rnd.Int64()}
				front := rnd.IntN(4) == 0
				b.push(w, front)
				if front {
					model[k] = slices.Insert(model[k], 0, w)
				} else {
					model[k] = append(model[k], w)
				}
				all = append(all, w)
			} else {
				i := rnd.IntN(len(all))
				w := all[i]
				all = slices.Delete(all, i, i+1)
				b.remove(w)
				model[w.key] = slices.DeleteFunc(model[w.key], func(x *waiter) bool { return x == w })
			}
			for i := range cells {
				k := key(&cells[i])
				w, q := b.head(k)
				want := model[k]
				if q.Len != len(want) {
					t.Fatalf("length %d, want %d", q.Len, len(want))
				}
				for _, x := range want {
					if w != x {
						t.Fatal("order differs from the model")
					}
					w = w.next
				}
				if w != nil {
					t.Fatal("a waiter too many")
				}
			}
		}
	}
}

func TestFirstComeFirstServed(t *testing.T) {
	var word uint32
	k := key(&word)
	got := make(chan int)
	for i := range 5 {
		go func() {
			if tok, ok := Park(k, yes, Options{Tag: uint32(i), Front: i == 4, Since: int64(100 + i)}); !ok || tok != 7 {
				t.Errorf("token %d, %v", tok, ok)
			}
			got <- i
		}()
		await(k, i+1)
	}
	if q := Head(k); q != (Queue{5, 104, 4}) {
		t.Errorf("head %+v", q)
	}
	for n, want := range []int{4, 0, 1, 2, 3} {
		if !UnparkOne(k, func(_ key, q Queue) (Verdict, Token) {
			if q != (Queue{5 - n, int64(100 + want), uint32(want)}) {
				t.Errorf("queue %+v at wake %d", q, n)
			}
			return []Verdict{Wake, Handoff}[n%2], 7
		}, 0) {
			t.Fatal("nobody woken")
		}
		if i := <-got; i != want {
			t.Errorf("woke %d, want %d", i, want)
		}
	}
	if UnparkOne(k, func(_ key, q Queue) (Verdict, Token) {
		if q != (Queue{}) {
			t.Errorf("empty queue %+v", q)
		}
		return Wake, 0
	}, 0) {
		t.Error("woke nobody and says otherwise")
	}
}

func TestValidateAndStay(t *testing.T) {
	var word uint32
	k := key(&word)
	if _, ok := Park(k, func(key) bool { return false }, Options{}); ok || Len(k) != 0 {
		t.Error("slept against the word")
	}
	done := make(chan struct{})
	go func() { Park(k, yes, Options{}); close(done) }()
	await(k, 1)
	if UnparkOne(k, func(key, Queue) (Verdict, Token) { return Stay, 0 }, 0) || Len(k) != 1 {
		t.Error("Stay woke")
	}
	UnparkOne(k, wake, 0)
	<-done
}

func TestUnparkFilter(t *testing.T) {
	var word uint32
	k := key(&word)
	var wg sync.WaitGroup
	var sum atomic.Uint32
	for i := range 6 {
		wg.Go(func() { tok, _ := Park(k, yes, Options{Tag: uint32(i)}); sum.Add(uint32(tok)) })
		await(k, i+1)
	}
	var left int
	n := UnparkFilter(k, func(_ key, q Queue) (Verdict, Token) {
		switch q.Tag {
		case 1:
			return Stay, 0
		case 4:
			return Stop, 0
		}
		return []Verdict{Wake, Handoff}[q.Tag%2], Token(1) << q.Tag
	}, func(_ key, woken, l int) {
		if woken != 3 {
			t.Errorf("woken %d, want 3", woken)
		}
		left = l
	}, 0)
	if n != 3 || left != 3 || Len(k) != 3 || Head(k).Tag != 1 {
		t.Errorf("woke %d, left %d, len %d, head %d; want 3, 3, 3, 1", n, left, Len(k), Head(k).Tag)
	}
	if n := UnparkAll(k, 1<<8, 0); n != 3 {
		t.Errorf("UnparkAll woke %d", n)
	}
	wg.Wait()
	if got := sum.Load(); got != 1+4+8+3<<8 {
		t.Errorf("tokens sum to %#x", got)
	}
}

func TestContext(t *testing.T) {
	var word uint32
	k := key(&word)
	t.Run("nil", func(t *testing.T) {
		defer func() {
			if recover() == nil || Len(k) != 0 {
				t.Error("no panic")
			}
		}()
		//lint:ignore SA1012 this is the point
		ParkContext(nil, k, func(key) bool { t.Error("validated"); return true }, nil, Options{}) //nolint
	})
	t.Run("middle", func(t *testing.T) {
		cause := errors.New("cause")
		ctx, cancel := context.WithCancelCause(context.Background())
		got := make(chan int)
		for i := range 3 {
			go func() {
				c := context.Background()
				if i == 1 {
					c = ctx
				}
				_, ok, err := ParkContext(c, k, yes, func(_ key, q Queue) {
					if q.Len != 2 || q.Tag != 0 {
						t.Errorf("left %+v", q)
					}
				}, Options{Tag: uint32(i)})
				if !ok || (err != nil) != (i == 1) {
					t.Error(i, ok, err)
				}
				if i == 1 && (!errors.Is(err, context.Canceled) || !errors.Is(err, cause)) {
					t.Error(err)
				}
				got <- i
			}()
			await(k, i+1)
		}
		cancel(cause)
		order := []int{<-got}
		for range 2 {
			UnparkOne(k, wake, 0)
			order = append(order, <-got)
		}
		if !slices.Equal(order, []int{1, 0, 2}) || Len(k) != 0 {
			t.Error(order, Len(k))
		}
	})
	t.Run("grant wins", func(t *testing.T) {
		for range 500 {
			ctx, cancel := context.WithCancel(context.Background())
			out := make(chan error)
			var left atomic.Bool
			go func() {
				_, _, err := ParkContext(ctx, k, yes, func(key, Queue) { left.Store(true) }, Options{})
				out <- err
			}()
			await(k, 1)
			go cancel()
			woken := UnparkOne(k, wake, 0)
			if err := <-out; (err == nil) != woken || left.Load() == woken {
				t.Fatalf("woken %v, left %v, error %v", woken, left.Load(), err)
			}
			cancel()
		}
	})
	t.Run("ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, ok, err := ParkContext(ctx, k, yes, nil, Options{}); !ok || !errors.Is(err, context.Canceled) {
			t.Error(ok, err)
		}
		if _, ok, err := ParkContext(ctx, k, func(key) bool { return false }, nil, Options{}); ok || err != nil {
			t.Error(ok, err)
		}
	})
}

func TestBubbles(t *testing.T) {
	var word uint32
	k := key(&word)
	for range 3 { // a waiter that was used in one bubble, in another, and outside
		synctest.Test(t, func(t *testing.T) {
			go Park(k, yes, Options{})
			await(k, 1)
			UnparkOne(k, wake, 0)
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error)
			go func() { _, _, err := ParkContext(ctx, k, yes, nil, Options{}); done <- err }()
			await(k, 1)
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		var wg sync.WaitGroup
		wg.Go(func() { Park(k, yes, Options{}) })
		await(k, 1)
		synctest.Test(t, func(*testing.T) { UnparkOne(k, wake, 0) })
		wg.Wait()
	}
	ctx, cancel := context.WithCancel(context.Background())
	ctx.Done() // a context makes its channel at the first call, and it must not be the bubble's
	var wg sync.WaitGroup
	wg.Go(func() {
		await(k, 1)
		cancel() // from outside the bubble of the sleeper
	})
	synctest.Test(t, func(t *testing.T) {
		if _, _, err := ParkContext(ctx, k, yes, nil, Options{}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	wg.Wait()
}

func TestNothingAllocated(t *testing.T) {
	if !rt.Pinned {
		t.Skip("the portable hooks allocate a sleeper for each sleep")
	}
	var word uint32
	k := key(&word)
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		for !stop.Load() {
			if !UnparkOne(k, wake, 0) {
				runtime.Gosched()
			}
		}
		close(done)
	}()
	if n := testing.AllocsPerRun(2000, func() { Park(k, yes, Options{}) }); n != 0 {
		t.Errorf("%v allocations per sleep", n)
	}
	stop.Store(true)
	<-done
}

// A binary semaphore made of a word and this package: sleepers, wakers, handoffs and
// cancellations at random. Units are conserved, and nobody sleeps for ever.
func TestStressWithCancellation(t *testing.T) {
	const workers, rounds, locks = 8, 1500, 3
	var words [locks]struct {
		free    atomic.Int32
		inside  int
		waiters atomic.Int32
	}
	for i := range words {
		words[i].free.Store(1)
	}
	var sleeps, cancels atomic.Int64
	acquire := func(i int, ctx context.Context) bool {
		w := &words[i]
		for {
			if w.free.CompareAndSwap(1, 0) {
				return true
			}
			tok, ok, err := ParkContext(ctx, key(w), func(key) bool {
				if w.free.Load() == 1 {
					return false
				}
				w.waiters.Add(1)
				return true
			}, func(key, Queue) { w.waiters.Add(-1) }, Options{})
			if err != nil {
				cancels.Add(1)
				return false
			}
			if ok {
				sleeps.Add(1)
				if tok == 1 {
					return true // handed over
				}
			}
		}
	}
	release := func(i int, r *rand.Rand) {
		w := &words[i]
		hand := r.IntN(2) == 0
		UnparkOne(key(w), func(_ key, q Queue) (Verdict, Token) {
			if int32(q.Len) != w.waiters.Load() {
				t.Errorf("%d waiters counted, %d queued", w.waiters.Load(), q.Len)
			}
			if q.Len > 0 {
				w.waiters.Add(-1)
				if hand {
					return Handoff, 1
				}
			}
			w.free.Store(1)
			return Wake, 0
		}, 0)
	}
	var wg sync.WaitGroup
	for g := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 9))
			for n := range rounds {
				i := r.IntN(locks)
				ctx, cancel := context.Background(), func() {}
				if r.IntN(3) == 0 {
					var stop context.CancelFunc
					ctx, stop = context.WithCancel(ctx)
					cancel = stop
					go stop()
				}
				if acquire(i, ctx) {
					guard.acquire(i)
					words[i].inside++
					if n%3 == 0 {
						runtime.Gosched()
					}
					guard.release(i)
					release(i, r)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	t.Logf("%d sleeps, %d cancellations", sleeps.Load(), cancels.Load())
	for i := range words {
		if words[i].free.Load() != 1 || Len(key(&words[i])) != 0 || words[i].waiters.Load() != 0 {
			t.Errorf("lock %d ends with free=%d, %d queued, %d counted", i, words[i].free.Load(), Len(key(&words[i])), words[i].waiters.Load())
		}
	}
}

// guard checks exclusion by itself and tells the race detector what a lock would.
var guard owners

type owners [8]atomic.Int32

func (o *owners) acquire(i int) {
	if !o[i].CompareAndSwap(0, 1) {
		panic("two inside")
	}
}

func (o *owners) release(i int) { o[i].Store(0) }
