// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"context"
	"fmt"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"github.com/turnstile-go/turnstile/lockbench"
	"github.com/turnstile-go/turnstile/numa"
	"github.com/turnstile-go/turnstile/spin"
)

// A Host is the machine at hand, calibrated.
type Host struct {
	Topology    *numa.Topology // nil where the system does not say
	Calibration lockbench.Calibration
	Features    spin.Info
	Keys        []lockbench.KeyValue // for the head of the file
}

// Survey finds out what machine this is; it takes a fraction of a second.
func Survey(ctx context.Context) (*Host, error) {
	h := new(Host)
	if t, err := numa.Host(); err == nil {
		h.Topology = t
	}
	var err error
	if h.Calibration, err = lockbench.Calibrate(ctx); err != nil {
		return nil, err
	}
	h.Features = spin.Features()
	h.Keys = lockbench.FileKeys(h.Topology, h.Calibration)
	if c := caches(h.Topology); c != "" {
		h.Keys = append(h.Keys, lockbench.KeyValue{Key: "caches", Value: c})
	}
	return h, nil
}

// caches lists the sizes of the caches: the core's own as the CPU tells them, the
// shared one as the topology does.
func caches(t *numa.Topology) string {
	var parts []string
	own := cpuid.CPU.Cache
	for _, c := range []struct {
		name  string
		bytes int
	}{{"L1d", own.L1D}, {"L2", own.L2}} {
		if c.bytes > 0 {
			parts = append(parts, c.name+" "+size(uint64(c.bytes)))
		}
	}
	if t != nil && len(t.Clusters) > 0 && t.Clusters[0].Level > 2 && t.Clusters[0].Bytes > 0 {
		c := t.Clusters[0]
		parts = append(parts, fmt.Sprintf("L%d %s for each of %d", c.Level, size(c.Bytes), len(t.Clusters)))
	}
	return strings.Join(parts, ", ")
}

// size writes bytes as "48 KB".
func size(n uint64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
