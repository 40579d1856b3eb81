// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func counter() int64
//	return CNTVCT_EL0
// R0 result. No ISB before it: read early or late, it is off by nanoseconds,
// and the staleness it measures is in microseconds.
TEXT ·counter(SB), NOSPLIT, $0-8
	MRS	CNTVCT_EL0, R0
	MOVD	R0, ret+0(FP)
	RET

// func counterHz() int64
//	return CNTFRQ_EL0
// R0 result.
TEXT ·counterHz(SB), NOSPLIT, $0-8
	MRS	CNTFRQ_EL0, R0
	MOVD	R0, ret+0(FP)
	RET
