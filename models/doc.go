// SPDX-License-Identifier: BSD-3-Clause

// Package models holds models of this module's locks for the model checker Spin
// (Holzmann 1997, The model checker SPIN), and the test that runs them.
//
// mutex.pml is the lock of internal/mutex on x86-TSO, with a store buffer for each
// thread. The test needs the commands spin and gcc for the runs, and nothing for the
// comparison of the model's labels with the ordering edges of internal/mutex/doc.go.
// TURNSTILE_LONG=1 runs larger configurations.
package models
