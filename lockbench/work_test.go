// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"
)

func TestRounds(t *testing.T) {
	p := pace{round: 0.8, call: 2}
	for d, want := range map[time.Duration]int{
		-1: 0, 0: 0, 1: 1, 2: 1, 50: 60, 500: 623, time.Microsecond: 1248,
	} {
		if got := p.rounds(d); got != want {
			t.Errorf("rounds(%v) = %d, want %d", d, got, want)
		}
	}
}

func TestComputeIsAChain(t *testing.T) {
	if compute(compute(3, 10), 5) != compute(3, 15) || compute(3, 0) != 3 || compute(3, 1) == 3 {
		t.Error("compute does not do its rounds one after the other")
	}
}

func TestPaceIsMeasured(t *testing.T) {
	p := measuredPace()
	if !(p.round > 0) || math.IsInf(p.round, 0) || p.call < 0 {
		t.Errorf("pace %+v", p)
	}
	if p != measuredPace() {
		t.Error("the pace was measured twice")
	}
}

func TestCalibrate(t *testing.T) {
	c, err := Calibrate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]float64{
		"Spin2Ratio": c.Spin2Ratio, "DelayNs": c.DelayNs, "ClockNs": c.ClockNs, "Hold50Ns": c.Hold50Ns, "HarnessNs": c.HarnessNs,
	} {
		if !(v > 0) || math.IsInf(v, 0) {
			t.Errorf("%s = %v", name, v)
		}
	}
	t.Log(c)
}

func TestCalibrateEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Calibrate(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want Canceled", err)
	}
}
