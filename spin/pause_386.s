// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func relaxPause(n uint32)
//	for ; n > 0; n-- { PAUSE }
// AX n.
TEXT ·relaxPause(SB), NOSPLIT, $0-4
	MOVL  n+0(FP), AX
	TESTL AX, AX
	JEQ   done

again:
	PAUSE
	DECL AX
	JNE  again

done:
	RET
