// SPDX-License-Identifier: BSD-3-Clause

package sync

import "testing"

// Where an actor of the model stands. Each step of the model is one atomic step of
// mutex.go, decided by the same transition functions.
const (
	atIdle    = iota // about to arrive, or finished when no rounds are left
	atArrive         // in lockSlow, at the top of the loop
	atSleep          // registered, waiting for a unit
	atWoken          // has a unit, has not read the word yet
	atHeld           // in its section
	atDropped        // has subtracted locked, owes the word something
	atWake           // owes a unit to a sleeper it made awake
	atGrant          // owes a unit to a sleeper that will own the lock
)

type actor struct {
	at, rounds int
	w          mutexArrival
	saw        mutexState // at atDropped: the word it last read
}

type model struct {
	word  mutexState
	units int
	who   [3]actor
}

// steps returns every state that actor i can make of m in one step.
func (m model) steps(i int) []model {
	var out []model
	add := func(change func(n *model, a *actor)) {
		n := m
		change(&n, &n.who[i])
		out = append(out, n)
	}
	a := m.who[i]
	switch a.at {
	case atIdle:
		if a.rounds > 0 {
			add(func(n *model, a *actor) { a.at, a.w, a.rounds = atArrive, mutexArrival{}, a.rounds-1 })
		}
	case atArrive:
		if next, ok := m.word.claim(); ok && !a.w.awake {
			add(func(n *model, a *actor) { n.word, a.w.awake = next, true })
		}
		add(func(n *model, a *actor) {
			next, took := n.word.arrive(a.w)
			n.word, a.at = next, atSleep
			if took {
				a.at = atHeld
			}
		})
	case atSleep:
		if m.units > 0 {
			for _, overdue := range []bool{a.w.overdue, true} { // patience may end in any sleep
				add(func(n *model, a *actor) { n.units--; a.at, a.w.overdue = atWoken, overdue })
			}
		}
	case atWoken:
		add(func(n *model, a *actor) {
			if n.word&mutexHandoff == 0 {
				a.at, a.w.awake = atArrive, true
				return
			}
			n.word, a.at = n.word.granted(a.w.overdue), atHeld
		})
	case atHeld:
		add(func(n *model, a *actor) {
			n.word -= mutexLocked
			a.saw, a.at = n.word, atDropped
		})
	case atDropped:
		add(func(n *model, a *actor) { n.owed(a) })
	case atWake, atGrant:
		add(func(n *model, a *actor) { n.units++; a.at = atIdle })
	}
	return out
}

// owed is unlockSlow up to the semaphore: the first look uses the word that the
// subtraction returned, later ones a fresh load.
func (m *model) owed(a *actor) {
	if a.saw&mutexHandoff != 0 && a.saw.dropped() == mutexGrant {
		a.at = atGrant
		return
	}
	next, ok := a.saw.wake()
	switch {
	case !ok:
		a.at = atIdle
	case m.word == a.saw:
		m.word, a.at = next, atWake
	default:
		// The load that follows a failed exchange. It may see a handoff, which is not
		// this goroutine's to serve: wake leaves it alone, and so must the model.
		a.saw = m.word
		if a.saw&mutexHandoff != 0 {
			a.at = atIdle
		}
	}
}

func (m model) check(t *testing.T) bool {
	held, sleeping, awake := 0, 0, 0
	for _, a := range m.who {
		switch a.at {
		case atHeld:
			held++
		case atSleep:
			sleeping++
		case atArrive:
			if a.w.awake {
				awake++
			}
		}
	}
	ok := held <= 1 &&
		!(held == 1 && m.word&mutexLocked == 0) && // I1
		m.word&(mutexAwake|mutexHandoff) != mutexAwake|mutexHandoff && // I2
		m.units <= 1 && // I3
		awake <= 1 && !(awake == 1 && m.word&mutexAwake == 0) && // I5
		!(m.word&mutexHandoff != 0 && m.word < mutexSleeper) // I6
	if !ok {
		t.Errorf("an invariant fails in %+v", m)
	}
	return ok
}

// Every interleaving of three goroutines, two of which lock twice, keeps the invariants,
// and none ends with a goroutine asleep (I4).
func TestEveryInterleaving(t *testing.T) {
	first := model{}
	for i, rounds := range [...]int{2, 2, 1} {
		first.who[i].rounds = rounds
	}
	seen := map[model]bool{first: true}
	for todo := []model{first}; len(todo) > 0; {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !m.check(t) {
			return
		}
		stuck := true
		for i := range m.who {
			for _, n := range m.steps(i) {
				stuck = false
				if !seen[n] {
					seen[n] = true
					todo = append(todo, n)
				}
			}
		}
		if stuck && m.word != 0 {
			t.Errorf("nobody can step, and the word is not free: %+v", m)
			return
		}
	}
	t.Logf("%d states", len(seen))
}

func TestMisuseIsSeenInTheWord(t *testing.T) {
	for _, s := range []mutexState{0, mutexAwake, mutexSleeper, mutexSleeper | mutexAwake, mutexSleeper | mutexHandoff} {
		if got := (s - mutexLocked).dropped(); got != mutexMisuse {
			t.Errorf("Unlock of word %#x: act %d, want misuse", uint32(s), got)
		}
	}
}

func TestTryOnEveryWord(t *testing.T) {
	for s := range 4 * mutexSleeper {
		next, took := s.try()
		if took != (s&(mutexLocked|mutexHandoff) == 0) || took && next != s|mutexLocked {
			t.Errorf("try of %#x: %#x, %v", uint32(s), uint32(next), took)
		}
	}
}
