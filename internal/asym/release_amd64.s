// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && amd64 && gc && go1.26 && !go1.28 && !purego && !race

#include "go_asm.h"
#include "textflag.h"

// func ReleaseAsm(w *Words) bool
//
//	if mode != Asymmetric { XCHG 0, w.Locked } else { w.Locked = 0; if mode != Asymmetric { return true } }
//	return w.Ctl != 0
//
// AX w, CX scratch. On amd64 stores leave in program order, loads happen in program
// order, and only a store followed by a load may be swapped: that is what XCHG prevents
// and what Barrier prevents for the plain store.
TEXT ·ReleaseAsm(SB), NOSPLIT, $0-9
	MOVQ w+0(FP), AX
	MOVL ·shared+const_modeOffset(SB), CX
	CMPL CX, $const_Asymmetric
	JNE  fenced
	MOVL $0, (AX)                          // edge A
	MOVL ·shared+const_modeOffset(SB), CX // edge D
	CMPL CX, $const_Asymmetric
	JNE  slow

ctl:
	CMPL  4(AX), $0
	SETNE ret+8(FP)
	RET

fenced:
	XORL CX, CX
	XCHGL CX, (AX) // edge B
	JMP  ctl

slow:
	MOVB $1, ret+8(FP)
	RET
