// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"

// Tries of an exclusive pair before Go's own atomics take over: no loop here is without
// a bound, not even one that the architecture promises to end.
#define TRIES 128

// func acquire(t *Ticket, my uint32)
//	my = next; next++
//	if owner != my { goto lockSlow(t, my) }
// R0 t, R1 &owner, R2 my, R3 owner, R4 my+1, R5 failed, R6 tries. LDADDAL (or the
// acquire of LDAXR) keeps the load of owner behind the draw, and LDAR is the acquire of
// edge A.
TEXT ·acquire(SB), NOSPLIT, $0-12
	MOVD t+0(FP), R0
	ADD  $Ticket_owner, R0, R1
#ifndef GOARM64_LSE
	MOVBU ·hasLSE(SB), R4
	CBZ   R4, exclusive
#endif
	MOVW     $1, R4
	LDADDALW R4, (R0), R2

drawn:
	LDARW (R1), R3
	CMPW  R2, R3
	BNE   wait
	RET

wait:
	MOVW R2, my+8(FP)
	JMP  ·lockSlow(SB) // same arguments, so it stands in for acquire

#ifndef GOARM64_LSE
exclusive:
	MOVW $TRIES, R6

again:
	LDAXRW (R0), R2
	ADDW   $1, R2, R4
	STLXRW R4, (R0), R5
	CBZW   R5, drawn
	SUBSW  $1, R6, R6
	BNE    again
	JMP    ·acquireGo(SB)
#endif

// func try(t *Ticket, my uint32) bool
//	my = owner
//	if next != my || !cas(&next, my, my+1) { return false }
//	if owner != my { goto tryWrapped(t, my) }
//	return true
// R0 t, R1 &owner, R2 my, R3 next, R4 my+1, R5 failed, R6 tries. The first LDAR of owner
// is the acquire of edge A.
TEXT ·try(SB), NOSPLIT, $0-17
	MOVD  t+0(FP), R0
	ADD   $Ticket_owner, R0, R1
	LDARW (R1), R2
	MOVWU Ticket_next(R0), R3
	CMPW  R2, R3
	BNE   no
	ADDW  $1, R2, R4
#ifndef GOARM64_LSE
	MOVBU ·hasLSE(SB), R5
	CBZ   R5, exclusive
#endif
	MOVW    R2, R3
	CASALW  R3, (R0), R4
	CMPW    R2, R3
	BNE     no

taken:
	LDARW (R1), R3 // the second look: see tryGo
	CMPW  R2, R3
	BNE   wrapped
	MOVD  $1, R3
	MOVB  R3, ret+16(FP)
	RET

no:
	MOVB ZR, ret+16(FP)
	RET

wrapped:
	MOVW R2, my+8(FP)
	JMP  ·tryWrapped(SB)

#ifndef GOARM64_LSE
exclusive:
	MOVW $TRIES, R6

again:
	LDAXRW (R0), R3
	CMPW   R2, R3
	BNE    differs
	STLXRW R4, (R0), R5
	CBZW   R5, taken
	SUBSW  $1, R6, R6
	BNE    again
	JMP    ·tryGo(SB)

differs:
	CLREX // leave no reservation behind
	B     no
#endif

// func release(t *Ticket)
//	if next == owner { goto unlockFree() }
//	owner++                                 // edge A
// R0 t, R1 &owner, R2 owner, R3 next. STLR is the release of edge A; loading owner
// plainly is enough, for only the holder writes it (I3).
TEXT ·release(SB), NOSPLIT, $0-8
	MOVD  t+0(FP), R0
	ADD   $Ticket_owner, R0, R1
	MOVWU Ticket_owner(R0), R2
	MOVWU Ticket_next(R0), R3
	CMPW  R2, R3
	BEQ   bad
	ADDW  $1, R2
	STLRW R2, (R1)
	RET

bad:
	JMP ·unlockFree(SB)

// func await(owner *uint32, seen, gap, polls uint32) uint32
//	for {
//		for range gap { ISB }
//		polls--
//		if v = *owner; v != seen || polls <= 0 { return v }
//	}
// R0 owner, R1 seen, R2 gap, R3 polls, R4 counter, R5 v. LDAR is the acquire of edge A.
TEXT ·await(SB), NOSPLIT, $0-28
	MOVD  owner+0(FP), R0
	MOVWU seen+8(FP), R1
	MOVWU gap+12(FP), R2
	MOVWU polls+16(FP), R3

poll:
	MOVW R2, R4
	CBZW R4, look

pause:
	ISB   $15
	SUBSW $1, R4, R4
	BNE   pause

look:
	LDARW (R0), R5
	CMPW  R1, R5
	BNE   done
	SUBSW $1, R3, R3
	BHI   poll

done:
	MOVW R5, ret+24(FP)
	RET
