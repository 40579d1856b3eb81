// SPDX-License-Identifier: BSD-3-Clause

// Package progress shows how far a long run has come: one line that is rewritten
// on a terminal, a line now and then elsewhere.
package progress

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// A State is how far the run has come.
type State struct {
	Done, Total int
	ETA         time.Duration
	Doing       string // what was measured last
}

// A Meter writes progress. It is used by one goroutine.
type Meter struct {
	w     io.Writer
	width int // of the terminal; 0 is no terminal
	now   func() time.Time

	last  time.Time // of the last line
	tenth int       // tenths of the way that were told, off a terminal
	open  bool      // a line stands on the terminal
}

// Times between lines: often enough to look alive, seldom enough not to disturb
// the measurement or fill a log.
const (
	redraw = 200 * time.Millisecond
	sparse = 15 * time.Second
)

// New returns a meter for w. width is that of the terminal, 0 where w is none.
func New(w io.Writer, width int) *Meter {
	return &Meter{w: w, width: width, now: time.Now, tenth: -1}
}

// Show tells the state, where it is time to.
func (m *Meter) Show(s State) {
	if m.width > 0 {
		m.rewrite(s)
	} else {
		m.tell(s)
	}
}

// rewrite draws the line on the terminal anew.
func (m *Meter) rewrite(s State) {
	if now := m.now(); m.open && now.Sub(m.last) < redraw && s.Done < s.Total {
		return
	} else {
		m.last = now
	}
	line := fmt.Sprintf("%d/%d  %s left  %s", s.Done, s.Total, left(s.ETA), s.Doing)
	if room := m.width - 2 - utf8.RuneCountInString(line); room >= 7 { // or the load would be cut off
		line = bar(s, min(room-2, 20)) + " " + line
	}
	fmt.Fprintf(m.w, "\r\x1b[K%s", cut(line, m.width-1))
	m.open = true
}

// tell writes a line at the first sample, at every tenth of the way, and when
// nothing was said for long.
func (m *Meter) tell(s State) {
	tenth := 10 * s.Done / max(s.Total, 1)
	now := m.now()
	if tenth == m.tenth && now.Sub(m.last) < sparse {
		return
	}
	m.tenth, m.last = tenth, now
	fmt.Fprintf(m.w, "%d of %d samples, %s left\n", s.Done, s.Total, left(s.ETA))
}

// Clear removes the line from the terminal, before something else is written.
func (m *Meter) Clear() {
	if m.open {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.open = false
	}
}

// bar draws how much is done.
func bar(s State, width int) string {
	n := width * s.Done / max(s.Total, 1)
	return "[" + strings.Repeat("#", n) + strings.Repeat(".", width-n) + "]"
}

// left rounds a time to what one wants to know of it.
func left(d time.Duration) string {
	switch {
	case d <= 0:
		return "0s"
	case d < time.Second:
		return "1s"
	case d < time.Hour:
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// cut shortens a line to the terminal's width, or it would wrap and pile up.
func cut(s string, width int) string {
	if width < 1 || utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:width-1]) + "…"
}
