// SPDX-License-Identifier: BSD-3-Clause

package spin_test

import (
	"fmt"
	"sync"

	"github.com/turnstile-go/turnstile/spin"
)

// A counter with a section of a few nanoseconds, shared by a few goroutines.
func ExampleTicket() {
	var (
		mu    spin.Ticket
		total int // guarded by mu
		wg    sync.WaitGroup
	)
	for range 4 {
		wg.Go(func() {
			for range 1000 {
				mu.Lock()
				total++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Println(total)
	// Output: 4000
}
