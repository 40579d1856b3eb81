// SPDX-License-Identifier: BSD-3-Clause

package sync

import "testing"

func TestOnceFunctionsCallOnce(t *testing.T) {
	n := 0
	count := func() int { n++; return n }
	f := OnceFunc(func() { count() })
	v := OnceValue(count)
	vs := OnceValues(func() (int, int) { return count(), count() })
	for range 2 {
		f()
		v()
		vs()
	}
	if a, b := vs(); n != 4 || v() != 2 || a != 3 || b != 4 {
		t.Errorf("called %d times, want 4; values %d, %d and %d, want 2, 3 and 4", n, v(), a, b)
	}
}

func TestCondOverMutex(t *testing.T) {
	c := NewCond(new(Mutex))
	ready := false // guarded by c.L
	go func() {
		c.L.Lock()
		ready = true
		c.L.Unlock()
		c.Signal()
	}()
	c.L.Lock()
	for !ready {
		c.Wait()
	}
	c.L.Unlock()
}
