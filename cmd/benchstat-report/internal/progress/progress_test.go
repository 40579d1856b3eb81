// SPDX-License-Identifier: BSD-3-Clause

package progress

import (
	"strings"
	"testing"
	"time"
)

// clock is a time that the test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func meter(w *strings.Builder, width int) (*Meter, *clock) {
	c := &clock{time.Unix(1000, 0)}
	m := New(w, width)
	m.now = c.now
	return m, c
}

// Off a terminal: the first sample, each tenth, and a sign of life in between.
func TestSparse(t *testing.T) {
	var w strings.Builder
	m, c := meter(&w, 0)
	for i := 1; i <= 200; i++ {
		c.t = c.t.Add(100 * time.Millisecond)
		m.Show(State{Done: i, Total: 200, ETA: time.Duration(200-i) * 100 * time.Millisecond, Doing: "x"})
	}
	m.Clear()
	got := strings.Split(strings.TrimSuffix(w.String(), "\n"), "\n")
	if len(got) != 11 || got[0] != "1 of 200 samples, 20s left" || got[10] != "200 of 200 samples, 0s left" {
		t.Errorf("%d lines: %q", len(got), got)
	}
	w.Reset()
	m, c = meter(&w, 0)
	for i := 1; i <= 3; i++ {
		m.Show(State{Done: i, Total: 1000})
		c.t = c.t.Add(16 * time.Second)
	}
	if n := strings.Count(w.String(), "\n"); n != 3 {
		t.Errorf("%d lines for 3 slow samples, want 3", n)
	}
	if strings.ContainsAny(w.String(), "\r\x1b") {
		t.Error("control characters off a terminal")
	}
}

// On a terminal: one line, not wider than it, redrawn a few times a second, removed.
func TestTerminal(t *testing.T) {
	var w strings.Builder
	m, c := meter(&w, 40)
	for i := 1; i <= 20; i++ {
		m.Show(State{Done: i, Total: 100, ETA: time.Minute, Doing: strings.Repeat("long ", 20)})
		c.t = c.t.Add(50 * time.Millisecond)
	}
	m.Clear()
	m.Clear()
	parts := strings.Split(w.String(), "\r\x1b[K")
	if len(parts) != 7 { // five redraws in a second, an empty start, an empty end
		t.Errorf("%d redraws: %q", len(parts)-2, parts)
	}
	for _, p := range parts {
		if len([]rune(p)) > 39 || strings.Contains(p, "\n") {
			t.Errorf("line of %d characters: %q", len([]rune(p)), p)
		}
	}
	if parts[len(parts)-1] != "" {
		t.Errorf("the line was left behind: %q", parts[len(parts)-1])
	}
}

func TestLeft(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 200 * time.Millisecond: "1s", 65500 * time.Millisecond: "1m6s",
		3*time.Hour + 4*time.Minute + 5*time.Second: "3h4m",
	} {
		if got := left(d); got != want {
			t.Errorf("left(%v) = %s, want %s", d, got, want)
		}
	}
}

// The load is told in full on a narrow terminal too: the bar makes room.
func TestBarMakesRoom(t *testing.T) {
	for width, bar := range map[int]int{120: 20, 80: 20, 60: 8, 55: 0} {
		var w strings.Builder
		m, _ := meter(&w, width)
		m.Show(State{Done: 360, Total: 3600, ETA: 90 * time.Second, Doing: "turnstile g=1024 500ns/1us"})
		_, line, _ := strings.Cut(w.String(), "\x1b[K")
		if n := len([]rune(line)); !strings.HasSuffix(line, "turnstile g=1024 500ns/1us") || n >= width || strings.Count(line, "#")+strings.Count(line, ".") != bar {
			t.Errorf("width %d: %d characters, %q", width, n, line)
		}
	}
}
