// SPDX-License-Identifier: BSD-3-Clause

package explore

// Limits of a model. They bound the size of a stored state.
const (
	MaxActors = 4
	MaxBuffer = 2
)

// A Model is a system of actors. S is the shared state and L the local state
// of an actor; both are plain comparable values without pointers.
type Model[S, L comparable] struct {
	Name   string
	Shared S   // at the start
	Locals []L // at the start, one an actor; 1 to MaxActors
	// Names of the actors in traces; optional.
	Names []string

	// Steps lists the steps that actor x.Me may take now, by calling one of
	// X's step methods for each. No call means: the actor waits.
	Steps func(x *X[S, L])
	// Done says that an actor has finished. It then takes no more steps.
	Done func(l L) bool

	// Invariant returns "" or what is wrong with this state; optional. The
	// slice is valid during the call.
	Invariant func(s S, locals []L) string
	// AtEnd is Invariant for the states in which all have finished; optional.
	AtEnd func(s S, locals []L) string

	// Buffer is the number of entries of each actor's store buffer, at most
	// MaxBuffer; 0 means sequential consistency.
	Buffer int
	// Apply writes a word that comes out of a store buffer to the shared
	// state. Needed when X.Store is used.
	Apply func(s *S, word uint8, v uint32)

	// Limit bounds the number of states; 0 means 30 million. Reaching it is
	// a fault, since nothing is then proved.
	Limit int
}

// optional marks a mover's step as one that need not happen.
const optional = 1 << 3

// buffer is an actor's store buffer, oldest entry first; entries at n and
// above are zero, so that equal buffers compare equal.
type buffer struct {
	val  [MaxBuffer]uint32
	word [MaxBuffer]uint8
	n    uint8
}

// state is a node of the graph.
type state[S, L comparable] struct {
	shared S
	local  [MaxActors]L
	buf    [MaxActors]buffer
}

// X is one actor's view of one state, given to Model.Steps. S and L are
// copies: change them freely and hand them to a step method.
type X[S, L comparable] struct {
	Me int
	S  S
	L  L

	model *Model[S, L]
	cur   state[S, L]
	next  state[S, L] // the step being made; here so that none is allocated
	by    uint8       // who moves: an actor, or MaxActors plus it for its buffer; optional
	out   func(label string)
}

// move starts a step that leaves the actor in l.
func (x *X[S, L]) move(l L) *state[S, L] {
	x.next = x.cur
	x.next.local[x.Me] = l
	return &x.next
}

// Load reads a word that is stored through the buffer: the actor's own newest
// store to it, or mem, which is what the shared state holds.
func (x *X[S, L]) Load(word uint8, mem uint32) uint32 {
	b := &x.cur.buf[x.Me]
	for i := int(b.n) - 1; i >= 0; i-- {
		if b.word[i] == word {
			return b.val[i]
		}
	}
	return mem
}

// Buffered reports whether actor i has stores that others cannot see yet.
func (x *X[S, L]) Buffered(i int) bool { return x.cur.buf[i].n != 0 }

// Step is a step that orders nothing: a load, a decision, a change of values
// that are not memory (a history variable, say).
func (x *X[S, L]) Step(label string, s S, l L) {
	x.move(l).shared = s
	x.out(label)
}

// Atomic is a locked instruction, a fence, or what is done under an internal
// lock. It is possible only once the actor's own buffer is empty.
func (x *X[S, L]) Atomic(label string, s S, l L) {
	if !x.Buffered(x.Me) {
		x.Step(label, s, l)
	}
}

// May is an Atomic step that may happen or not, such as a cancellation: nothing
// that waits can rely on it. A state with no other steps is stuck.
func (x *X[S, L]) May(label string, s S, l L) {
	x.by |= optional
	x.Atomic(label, s, l)
	x.by &^= optional
}

// Store is a plain store of v to word. With Buffer zero it takes effect at
// once; with a full buffer it has to wait.
func (x *X[S, L]) Store(label string, word uint8, v uint32, l L) {
	next := x.move(l)
	b := &next.buf[x.Me]
	switch {
	case x.model.Buffer == 0:
		x.model.Apply(&next.shared, word, v)
	case int(b.n) == x.model.Buffer:
		return
	default:
		b.val[b.n], b.word[b.n] = v, word
		b.n++
	}
	x.out(label)
}

// Interrupt makes actor i pass a full fence: its stores reach the shared
// state. The shared state is otherwise unchanged.
func (x *X[S, L]) Interrupt(label string, i int, l L) {
	next := x.move(l)
	for next.buf[i].n > 0 {
		x.model.flush(next, i)
	}
	x.out(label)
}

// Barrier makes all actors pass a full fence in one step.
func (x *X[S, L]) Barrier(label string, l L) {
	next := x.move(l)
	for i := range next.buf {
		for next.buf[i].n > 0 {
			x.model.flush(next, i)
		}
	}
	x.out(label)
}

// flush moves the oldest entry of actor i's buffer to the shared state.
func (m *Model[S, L]) flush(st *state[S, L], i int) {
	b := &st.buf[i]
	m.Apply(&st.shared, b.word[0], b.val[0])
	copy(b.val[:], b.val[1:])
	copy(b.word[:], b.word[1:])
	b.n--
	b.val[b.n], b.word[b.n] = 0, 0
}

// successors calls out for every step from st, with its label; the mover is
// then in x.by and the state behind the step in x.next.
func (m *Model[S, L]) successors(x *X[S, L], st *state[S, L], out func(label string)) {
	x.model, x.cur, x.out = m, *st, out
	for i := range m.Locals {
		if !m.Done(st.local[i]) {
			x.by, x.Me, x.S, x.L = uint8(i), i, st.shared, st.local[i]
			m.Steps(x)
		}
	}
	for i := range m.Locals {
		if st.buf[i].n > 0 {
			x.by, x.next = uint8(MaxActors+i), *st
			m.flush(&x.next, i)
			out("store becomes visible")
		}
	}
}

// check panics on a model that cannot be run: a fault of its author.
func (m *Model[S, L]) check() {
	switch {
	case len(m.Locals) == 0 || len(m.Locals) > MaxActors:
		panic("explore: a model needs 1 to 4 actors")
	case m.Buffer < 0 || m.Buffer > MaxBuffer:
		panic("explore: buffer out of range")
	case m.Buffer > 0 && m.Apply == nil:
		panic("explore: a buffer needs Apply")
	case m.Steps == nil || m.Done == nil:
		panic("explore: a model needs Steps and Done")
	}
}
