// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"context"

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
	return h, nil
}
