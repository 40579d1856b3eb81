// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// Ticks of the TSC in one timed wait: 30 to 60 ns, near a PAUSE.
#define TICKS 128

// func cpuidAt(leaf uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuidAt(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	XORL CX, CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET

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

// func relaxTpause(n uint32)
//	for ; n > 0; n-- { TPAUSE until RDTSC+TICKS }
// SI n, DX:AX deadline, CX 1: the light state C0.1, which is left faster than C0.2.
TEXT ·relaxTpause(SB), NOSPLIT, $0-4
	MOVL  n+0(FP), SI
	MOVL  $1, CX
	TESTL SI, SI
	JEQ   done

again:
	RDTSC
	ADDL   $TICKS, AX
	ADCL   $0, DX
	TPAUSE CX
	DECL   SI
	JNE    again

done:
	RET

// func relaxMwaitx(n uint32)
//	for ; n > 0; n-- { MONITORX own argument; MWAITX for TICKS }
// SI n. MONITORX: AX address, CX and DX no hints. MWAITX: AX 0xf0 no sleep state, CX 2
// the timer is on, BX ticks. Nobody writes the line that is watched, so the timer ends it.
TEXT ·relaxMwaitx(SB), NOSPLIT, $0-4
	MOVL  n+0(FP), SI
	TESTL SI, SI
	JEQ   done

again:
	LEAQ n+0(FP), AX
	XORL CX, CX
	XORL DX, DX
	BYTE $0x0f; BYTE $0x01; BYTE $0xfa // MONITORX
	MOVL $0xf0, AX
	MOVL $2, CX
	MOVL $TICKS, BX
	BYTE $0x0f; BYTE $0x01; BYTE $0xfb // MWAITX
	DECL SI
	JNE  again

done:
	RET
