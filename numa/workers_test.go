// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/turnstile-go/turnstile/numa"
)

func TestWorkersRunTogether(t *testing.T) {
	const n = 9
	var inside atomic.Int32
	all := make(chan struct{})
	err := numa.Workers(t.Context(), nil, numa.Unpinned, n, func(ctx context.Context, w numa.Worker) error {
		if w.CPU != -1 || w.Node != -1 || w.Cluster != -1 {
			t.Errorf("an unpinned worker has a place: %+v", w)
		}
		if inside.Add(1) == n {
			close(all)
		}
		<-all // returns only when all n are inside at once
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWorkersCollect(t *testing.T) {
	err := numa.Workers(t.Context(), nil, numa.Unpinned, 5, func(ctx context.Context, w numa.Worker) error {
		switch w.Index {
		case 0:
			return io.EOF
		case 1:
			panic(io.ErrUnexpectedEOF)
		case 2:
			panic("boom")
		case 3:
			runtime.Goexit()
		}
		<-ctx.Done() // ends because the others failed
		return nil
	})
	var p *numa.PanicError
	if !errors.Is(err, io.EOF) || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &p) || len(p.Stack) == 0 {
		t.Fatalf("not all failures are in %v", err)
	}
	for _, word := range []string{"worker 0: EOF", "worker 1 panicked", "worker 2 panicked: boom", "worker 3: left by runtime.Goexit"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in %q", word, err)
		}
	}
	if strings.Contains(err.Error(), "worker 4") {
		t.Errorf("the worker that returned nil is in %q", err)
	}
}

// TestWorkersErrorIsOneLine: whatever fails, and however many.
func TestWorkersErrorIsOneLine(t *testing.T) {
	two := errors.Join(io.EOF, io.ErrNoProgress) // of two lines
	err := numa.Workers(t.Context(), nil, numa.Unpinned, 4, func(_ context.Context, w numa.Worker) error {
		switch w.Index {
		case 0:
			return two
		case 1:
			panic("a\r\nb\n")
		case 2:
			return io.ErrClosedPipe
		}
		return nil
	})
	want := "worker 0: EOF; multiple Read calls return no data or error; numa: worker 1 panicked: a; b; worker 2: io: read/write on closed pipe"
	if err == nil || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	for _, e := range []error{io.EOF, io.ErrNoProgress, io.ErrClosedPipe} {
		if !errors.Is(err, e) {
			t.Errorf("%v is not found in %v", e, err)
		}
	}
	if p, ok := errors.AsType[*numa.PanicError](err); !ok || p.Worker != 1 {
		t.Errorf("the panic is not found in %v", err)
	}
	list, ok := err.(interface{ Unwrap() []error })
	if !ok || len(list.Unwrap()) != 3 {
		t.Errorf("%T does not unwrap to three errors", err)
	}
}

func TestWorkersNotStarted(t *testing.T) {
	cause := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	never := func(context.Context, numa.Worker) error { t.Error("a worker ran"); return nil }
	if err := numa.Workers(ctx, nil, numa.Unpinned, 2, never); !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
		t.Errorf("ended context gave %v", err)
	} else if want := "numa: workers not started: context canceled; why"; err.Error() != want {
		t.Errorf("ended context gave %q, want %q", err, want)
	}
	plain, stop := context.WithCancel(t.Context())
	stop()
	if err := numa.Workers(plain, nil, numa.Unpinned, 2, never); err == nil || err.Error() != "numa: workers not started: context canceled" {
		t.Errorf("ended context without a cause gave %v", err)
	}
	if err := numa.Workers(t.Context(), nil, numa.Unpinned, 0, never); err == nil {
		t.Error("0 workers gave no error")
	}
	defer func() {
		if v := recover(); v != "numa: nil context" {
			t.Errorf("nil context gave %v", v)
		}
	}()
	//lint:ignore SA1012 the panic for a nil context is what is tested
	numa.Workers(nil, nil, numa.Unpinned, 1, never)
}
