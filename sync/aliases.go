// SPDX-License-Identifier: BSD-3-Clause

package sync

import "sync"

type (
	// Cond is the standard library's, over any Locker.
	Cond = sync.Cond
	// Locker is the standard library's.
	Locker = sync.Locker
	// Map is the standard library's.
	Map = sync.Map
	// Once is the standard library's.
	Once = sync.Once
	// Pool is the standard library's.
	Pool = sync.Pool
	// RWMutex is the standard library's.
	RWMutex = sync.RWMutex
	// WaitGroup is the standard library's.
	WaitGroup = sync.WaitGroup
)

// NewCond returns a Cond whose L is l.
func NewCond(l Locker) *Cond { return sync.NewCond(l) }

// OnceFunc returns a function that calls f once, however often it is called.
func OnceFunc(f func()) func() { return sync.OnceFunc(f) }

// OnceValue returns a function that calls f once and returns its value each time.
func OnceValue[T any](f func() T) func() T { return sync.OnceValue(f) }

// OnceValues returns a function that calls f once and returns its values each time.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) { return sync.OnceValues(f) }
