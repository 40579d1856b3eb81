// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"context"
	"strconv"
	"time"

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
	h.Keys = append(lockbench.FileKeys(h.Topology, h.Calibration), costs(h.Calibration)...)
	return h, nil
}

// costs are the parts of the calibration that FileKeys leaves out, with the digits
// that are worth reading.
func costs(c lockbench.Calibration) []lockbench.KeyValue {
	var keys []lockbench.KeyValue
	for _, k := range []struct {
		key      string
		ns       float64
		decimals int
	}{{"delay-ns", c.DelayNs, 0}, {"clock-ns", c.ClockNs, 1}, {"hold50-ns", c.Hold50Ns, 1}, {"harness-ns", c.HarnessNs, 1}} {
		keys = append(keys, lockbench.KeyValue{Key: k.key, Value: strconv.FormatFloat(k.ns, 'f', k.decimals, 64)})
	}
	return keys
}

// RunKeys date a run and say what would repeat it.
func RunKeys(s lockbench.Suite, start time.Time) []lockbench.KeyValue {
	return []lockbench.KeyValue{
		{Key: "date", Value: start.UTC().Format(time.RFC3339)},
		{Key: "suite", Value: s.Name},
		{Key: "cell", Value: s.Cell.String()},
		{Key: "samples", Value: strconv.Itoa(s.Samples)},
	}
}
