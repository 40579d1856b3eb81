// SPDX-License-Identifier: BSD-3-Clause

package parking

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/turnstile-go/turnstile/internal/rt"
)

// BenchmarkPark is a round trip between two goroutines: two sleeps and two wakes an
// operation.
func BenchmarkPark(b *testing.B) {
	for _, v := range []Verdict{Wake, Handoff} {
		b.Run(fmt.Sprintf("by=parking/verdict=%d", v), func(b *testing.B) { benchPark(b, v) })
		b.Run(fmt.Sprintf("by=semaphore/verdict=%d", v), func(b *testing.B) {
			var s [2]uint32
			pingPong(b, func(i int) { rt.SemacquireMutex(&s[i], false, 0) }, func(i int) { rt.Semrelease(&s[i], v == Handoff, 0) })
		})
	}
	b.Run("by=channel", func(b *testing.B) {
		c := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
		pingPong(b, func(i int) { <-c[i] }, func(i int) { c[i] <- struct{}{} })
	})
	for _, n := range []int{1 << 10, 1 << 14, 1 << 17} {
		b.Run(fmt.Sprintf("keys=%d/part=lookup", n), func(b *testing.B) { benchKeys(b, n) })
	}
}

// benchPark keeps a unit for a sleeper that has not come yet in the word under the key.
func benchPark(b *testing.B, v Verdict) {
	var units [2]struct {
		n uint32
		_ [60]byte
	}
	pingPong(b, func(i int) {
		Park(unsafe.Pointer(&units[i]), func(k unsafe.Pointer) bool {
			n := (*uint32)(k)
			if *n == 0 {
				return true
			}
			*n = 0
			return false
		}, Options{Since: 1})
	}, func(i int) {
		UnparkOne(unsafe.Pointer(&units[i]), func(k unsafe.Pointer, q Queue) (Verdict, Token) {
			if q.Len == 0 {
				*(*uint32)(k) = 1
			}
			return v, 0
		}, 0)
	})
}

func pingPong(b *testing.B, wait, wake func(i int)) {
	n := b.N
	done := make(chan struct{})
	go func() {
		for range n {
			wait(0)
			wake(1)
		}
		close(done)
	}()
	b.ResetTimer()
	for range n {
		wake(0)
		wait(1)
	}
	<-done
}

// benchKeys looks up the first in line while n locks have one sleeper each.
func benchKeys(b *testing.B, n int) {
	cells := make([]uint64, n)
	for i := range cells {
		w := &waiter{key: unsafe.Pointer(&cells[i])}
		bucketOf(w.key).push(w, false)
		defer bucketOf(w.key).remove(w)
	}
	i := 0
	for b.Loop() {
		Head(unsafe.Pointer(&cells[i]))
		i = (i + 7919) % n
	}
}
