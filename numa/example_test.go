// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/turnstile-go/turnstile/numa"
)

func ExampleParseCPUSet() {
	set, err := numa.ParseCPUSet("0-15:2/8,32")
	fmt.Println(set, set.Len(), err)
	_, err = numa.ParseCPUSet("0-7,x")
	fmt.Println(err)
	// Output:
	// 0-1,8-9,32 5 <nil>
	// numa: CPU list "0-7,x": "x" is not a CPU number
}

func ExampleWorkers() {
	var sum atomic.Int64
	err := numa.Workers(context.Background(), nil, numa.Unpinned, 4, func(ctx context.Context, w numa.Worker) error {
		sum.Add(int64(w.Index))
		return nil
	})
	fmt.Println(sum.Load(), err)
	// Output: 6 <nil>
}
