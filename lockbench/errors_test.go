// SPDX-License-Identifier: BSD-3-Clause

package lockbench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
)

var errFirst, errSecond = errors.New("worker 0: no CPU"), errors.New("worker 1: no CPU")

func TestErrorsOfWorkersAreOneLine(t *testing.T) {
	r, err := newRun(context.Background(), new(sync.Mutex), Load{Goroutines: 2})
	if err != nil {
		t.Fatal(err)
	}
	r.length = time.Hour
	done := make(chan error, 1)
	done <- fmt.Errorf("numa: %w", errors.Join(errFirst, errSecond))
	err = r.conduct(context.Background(), done)
	if err == nil || err.Error() != "numa: worker 0: no CPU; worker 1: no CPU" {
		t.Errorf("error %q, want one line", err)
	}
	if !errors.Is(err, errFirst) || !errors.Is(err, errSecond) {
		t.Errorf("error %q does not match its parts", err)
	}
}

func TestPanicOfSeveralLinesIsOneLine(t *testing.T) {
	l := &countingLock{at: 5, hook: func() { panic(errors.Join(errFirst, errSecond)) }}
	_, err := Run(context.Background(), l, Load{Goroutines: 2}, time.Hour)
	if err == nil || err.Error() != "lockbench: the lock panicked: worker 0: no CPU; worker 1: no CPU" {
		t.Errorf("error %q, want one line", err)
	}
}

func TestOneLineErrorsStayThemselves(t *testing.T) {
	if err := joinLines(errFirst); err != errFirst || joinLines(nil) != nil {
		t.Errorf("%v", err)
	}
}
