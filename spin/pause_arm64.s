// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func relaxIsb(n uint32)
//	for ; n > 0; n-- { ISB }
// R0 n. ISB drains the pipeline, some tens of ns; YIELD does nothing on most cores.
TEXT ·relaxIsb(SB), NOSPLIT, $0-4
	MOVWU n+0(FP), R0
	CBZW  R0, done

again:
	ISB   $15
	SUBSW $1, R0, R0
	BNE   again

done:
	RET

// func relaxSb(n uint32)
//	for ; n > 0; n-- { SB }
// R0 n.
TEXT ·relaxSb(SB), NOSPLIT, $0-4
	MOVWU n+0(FP), R0
	CBZW  R0, done

again:
	WORD  $0xd50330ff // SB
	SUBSW $1, R0, R0
	BNE   again

done:
	RET

// func relaxWfet(n uint32)
//	for ; n > 0; n-- { WFET until CNTVCT + CNTFRQ>>23 + 1 }
// R0 n, R1 ticks in about 120 ns, R2 deadline.
TEXT ·relaxWfet(SB), NOSPLIT, $0-4
	MOVWU n+0(FP), R0
	CBZW  R0, done
	MRS   CNTFRQ_EL0, R1
	LSR   $23, R1
	ADD   $1, R1

again:
	MRS   CNTVCT_EL0, R2
	ADD   R1, R2
	WORD  $0xd5031002 // WFET R2
	SUBSW $1, R0, R0
	BNE   again

done:
	RET

// func awaitWfe(owner *uint32, seen, gap, polls uint32) uint32
//	if v = *owner; v == seen { WFE; v = *owner }
//	return v
// R0 owner, R1 seen, R2 v. LDAXR is the acquire of edge A and arms the monitor, so that
// a store to the line between it and WFE ends WFE at once.
TEXT ·awaitWfe(SB), NOSPLIT, $0-28
	MOVD   owner+0(FP), R0
	MOVWU  seen+8(FP), R1
	LDAXRW (R0), R2
	CMPW   R1, R2
	BNE    done
	WFE
	LDARW  (R0), R2

done:
	CLREX // leave no reservation behind
	MOVW  R2, ret+24(FP)
	RET
