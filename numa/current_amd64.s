// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func rdpid() uint32
//	return TSC_AUX
// AX result. No ordering, as in readAux.
TEXT ·rdpid(SB), NOSPLIT, $0-4
	RDPID	AX
	MOVL	AX, ret+0(FP)
	RET

// func readAux(w way) uint32
//	switch w {
//	case wayRDPID (1): return TSC_AUX by RDPID
//	case wayLSL (2):   if limit of segment 0x7b can be read { return it }; return 1<<32 - 1
//	default:           return TSC_AUX by RDTSCP
//	}
// AX result, CX way, then selector, then TSC_AUX; DX and the high half of AX
// are the time stamp that RDTSCP gives and nobody wants. No ordering: the
// answer is a hint, and may be taken early or late.
TEXT ·readAux(SB), NOSPLIT, $0-12
	MOVL	w+0(FP), CX
	CMPL	CX, $1
	JNE	lsl
	RDPID	AX
	MOVL	AX, ret+8(FP)
	RET
lsl:
	CMPL	CX, $2
	JNE	rdtscp
	MOVL	$0x7b, CX		// Linux: entry 15 of the descriptor table, at user level
	MOVL	$-1, AX
	LSLL	CX, AX			// clears ZF and leaves AX where the segment is not there
	MOVL	AX, ret+8(FP)
	RET
rdtscp:
	RDTSCP
	MOVL	CX, ret+8(FP)
	RET

// func cpuid(leaf, sub uint32) (eax, ecx, edx uint32)
//	CPUID with EAX = leaf and ECX = sub; BX is written and not returned.
TEXT ·cpuid(SB), NOSPLIT, $0-20
	MOVL	leaf+0(FP), AX
	MOVL	sub+4(FP), CX
	CPUID
	MOVL	AX, eax+8(FP)
	MOVL	CX, ecx+12(FP)
	MOVL	DX, edx+16(FP)
	RET
