// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"

// func acquire(t *Ticket, my uint32)
//	my = next; next++                       // one locked instruction
//	if owner != my { goto lockSlow(t, my) }
// BX t, AX my. The load of owner needs no fence: loads stay in order, and nothing
// passes a locked instruction (edge A).
TEXT ·acquire(SB), NOSPLIT, $0-12
	MOVQ t+0(FP), BX
	MOVL $1, AX
	LOCK
	XADDL AX, Ticket_next(BX)
	CMPL Ticket_owner(BX), AX
	JNE  wait
	RET

wait:
	MOVL AX, my+8(FP)
	JMP  ·lockSlow(SB) // same arguments, so it stands in for acquire

// func try(t *Ticket, my uint32) bool
//	my = owner
//	if next != my || !cas(&next, my, my+1) { return false }
//	if owner != my { goto tryWrapped(t, my) }
//	return true
// BX t, AX my, CX my+1. The first load of owner is the acquire of edge A.
TEXT ·try(SB), NOSPLIT, $0-17
	MOVQ t+0(FP), BX
	MOVL Ticket_owner(BX), AX
	CMPL Ticket_next(BX), AX
	JNE  no
	LEAL 1(AX), CX
	LOCK
	CMPXCHGL CX, Ticket_next(BX)
	JNE  no
	CMPL Ticket_owner(BX), AX // the second look: see tryGo
	JNE  wrapped
	MOVB $1, ret+16(FP)
	RET

no:
	MOVB $0, ret+16(FP)
	RET

wrapped:
	MOVL AX, my+8(FP)
	JMP  ·tryWrapped(SB)

// func release(t *Ticket)
//	if next == owner { goto unlockFree() }
//	owner++                                 // edge A
// BX t, AX owner. No locked instruction: stores stay in order behind the section's
// loads and stores, and only the holder writes owner (I3).
TEXT ·release(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), BX
	MOVL Ticket_owner(BX), AX
	CMPL Ticket_next(BX), AX
	JEQ  bad
	INCL AX
	MOVL AX, Ticket_owner(BX)
	RET

bad:
	JMP ·unlockFree(SB)

// func await(owner *uint32, seen, gap, polls uint32) uint32
//	for {
//		for range gap { PAUSE }
//		polls--
//		if v = *owner; v != seen || polls <= 0 { return v }
//	}
// BX owner, CX seen, SI gap, DI polls, DX counter, AX v.
TEXT ·await(SB), NOSPLIT, $0-28
	MOVQ owner+0(FP), BX
	MOVL seen+8(FP), CX
	MOVL gap+12(FP), SI
	MOVL polls+16(FP), DI

poll:
	MOVL  SI, DX
	TESTL DX, DX
	JEQ   look

pause:
	PAUSE
	DECL DX
	JNE  pause

look:
	MOVL (BX), AX // edge A
	CMPL AX, CX
	JNE  done
	SUBL $1, DI
	JHI  poll

done:
	MOVL AX, ret+24(FP)
	RET
