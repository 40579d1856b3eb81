// SPDX-License-Identifier: BSD-3-Clause

// Package explore runs small concurrent models through all their
// interleavings.
//
// # What
//
// A [Model] is a shared state, one to four actors with a local state each, and
// a function that lists the steps an actor may take. [Check] visits every
// state that can be reached, breadth first, and looks for
//
//   - an invariant that does not hold in some state;
//   - a stuck state: no step is left and an actor has not finished, which in a
//     lock is a lost wake-up or a deadlock;
//   - a fair loop: the actors can go round for ever without finishing although
//     none of them is kept waiting (weak fairness), a livelock;
//   - an end state that fails the model's AtEnd check, such as a flag left up.
//
// A fault comes with the shortest sequence of steps that leads to it.
//
// # When to choose it
//
// For the pure transition functions of a lock, with two to four actors and up
// to some ten million states. Words are changed by the functions that ship and
// the model only says between which of them another actor may step.
//
// # Guarantees
//
// A run without a fault has visited every interleaving of the model, and so
// proves it for that many actors and rounds, and no more. What is one step in
// the model must be one atomic access in the code: a step may read or write
// one shared location, or do whatever the code does under one internal lock.
//
// # Ordering
//
// With Buffer zero every step takes effect at once and for all: sequential
// consistency, which is what Go's atomics give. With Buffer n every actor has
// a store buffer of n entries, as an x86 processor does (x86-TSO): [X.Store]
// puts a store into it, the stores reach the shared state later and in order,
// the actor itself sees them at once through [X.Load], and [X.Atomic] waits
// for the buffer to be empty. A short buffer leaves out only runs that need
// more stores in flight. [X.Interrupt] empties another actor's buffer:
// membarrier is that, done to each of the others in some order, and
// [X.Barrier] is all of it in one step. Orders weaker than TSO are not
// modelled.
//
// # Invariants
//
//   - I1: the states are numbered in breadth-first order, so a state's first
//     parent lies on a shortest path to it, and traces are shortest.
//   - I2: an edge is kept for every step, also one that changes nothing, so an
//     actor counts as enabled wherever it has a step.
//   - I3: steps made by [X.May] are visited but nothing waits for them: they
//     make no state less stuck and no run less fair. (A sleeper that could
//     still be cancelled is not thereby awake.)
//   - I4: a strongly connected set of states holds an endless fair run if and
//     only if each actor, and each buffer, either steps inside the set or is
//     disabled in one of its states. (A run that walks all edges of the set
//     for ever is then fair; and a fair endless run stays, from some point
//     on, inside one set, where it gives each actor a step or a state that
//     disables it.) The check is therefore exact, not a heuristic.
//   - I5: from a state that cannot reach the end one always arrives at a stuck
//     state or at a fair set, so I4 and the stuck check together also show
//     that the end can be reached from everywhere.
//
// # References
//
// Owens, Sarkar and Sewell 2009, A better x86 memory model: x86-TSO.
// Tarjan 1972, Depth-first search and linear graph algorithms.
// Lehmann, Pnueli and Stavi 1981, Impartiality, justice and fairness: the
// ethics of concurrent termination.
package explore
