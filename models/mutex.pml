/* SPDX-License-Identifier: BSD-3-Clause */

/* The mutex of internal/mutex on a machine with a store buffer per thread (x86-TSO; Owens,
 * Sarkar and Sewell 2009): WORKERS goroutines that lock and unlock, some of which may
 * give up, and a switch that turns the asymmetric mode on and off.
 *
 * locked is the word as memory has it. pend[i] is thread i's store of 0 to it, still in
 * its buffer; a thread reads its own buffer first. All other words are written by locked
 * instructions only, which wait for the buffer to be empty. The control word is kept as
 * its flags and dirty, which stands for a count that is not zero. The turn of those that
 * barge is over or not by choice.
 *
 * A label X_name stands where the ordering edge X of internal/mutex/doc.go is. Macros:
 *
 *	WORKERS ROUNDS  how many goroutines, and how often each locks
 *	CANCEL          1 = each may turn out to be one that gives up
 *	START ON OFF    the mode at the start, how often it is turned on and off
 *	LIVE            checks progress under weak fairness; safety without
 *	M_...           a mutant: something left out
 */

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef CANCEL
#define CANCEL 0
#endif
#ifndef START
#define START 1
#endif
#ifndef ON
#define ON 0
#endif
#ifndef OFF
#define OFF 0
#endif

#define SYM 0
#define ASYM 1
#define LEAVING 2

byte mode = START;
bit locked, pend[WORKERS];
bit fenced, parked, woken, handoff, dirty; /* ctl */
byte q0, q1, q2;                           /* the queue: thread + 1, head first */
byte told[WORKERS];                        /* 1 woken, 2 granted, not yet running */
byte bucket;                               /* who holds the queue's lock, thread + 1 */
byte inside, finished;

#define EMPTY (!fenced && !parked && !woken && !handoff && !dirty)
#define CALM (!parked && !woken && !handoff)
#define MAYWAKE (parked && !woken)
#define FENCE (!pend[me])
#define LOCKED (pend[me] -> 0 : locked)

inline push(x, front) {
	if
	:: front -> q2 = q1; q1 = q0; q0 = x
	:: !front && q0 == 0 -> q0 = x
	:: !front && q0 != 0 && q1 == 0 -> q1 = x
	:: else -> q2 = x
	fi
}

inline pull(x) {
	if
	:: q0 == x -> q0 = q1; q1 = q2; q2 = 0
	:: q1 == x -> q1 = q2; q2 = 0
	:: q2 == x -> q2 = 0
	fi;
	dequeued()
}

/* dequeued is ctl.dequeue. */
inline dequeued() {
	if
	:: q0 == 0 -> parked = 0; handoff = 0
	:: else
	fi
}

/* barrier makes every thread pass a fence, in any order. */
inline barrier(set) {
	set = (1 << WORKERS) - 1;
	do
	:: set == 0 -> break
	:: set & 1 -> atomic { if :: pend[0] -> locked = 0; pend[0] = 0 :: else fi; set = set - 1 }
	:: WORKERS > 1 && (set & 2) -> atomic { if :: pend[1] -> locked = 0; pend[1] = 0 :: else fi; set = set - 2 }
	:: WORKERS > 2 && (set & 4) -> atomic { if :: pend[WORKERS - 1] -> locked = 0; pend[WORKERS - 1] = 0 :: else fi; set = set - 4 }
	od
}

proctype buffer(byte me) {
	do
	:: atomic { pend[me] -> locked = 0; pend[me] = 0 }
	:: finished == WORKERS && !pend[me] -> break
	od
}

proctype worker(byte me) {
	bit woke, over, was, had, first, cancels, seen;
	byte round, md, set, head;

	round = ROUNDS;
again:
	atomic {
		woke = 0; over = 0; was = 0; had = 0; first = 0; seen = 0; md = 0; cancels = 0;
		if
		:: CANCEL -> cancels = 1
		:: cancels = 0
		fi
	}
A_take:
	atomic {
		FENCE;
		if
		:: locked == 0 -> locked = 1; goto section
		:: else
		fi;
#ifdef M_MODE_BEFORE_RAISE
		md = mode
#endif
	}
raise:
	atomic {
		FENCE;
		if
		:: fenced -> goto enqueue
		:: else
		fi;
C_raise:
		fenced = 1; first = 1
	}
#ifndef M_MODE_BEFORE_RAISE
D_parker:
	md = mode;
#endif
	if
#ifndef M_NO_BARRIER
	:: md != SYM -> md = 0;
C_barrier:
		barrier(set)
#endif
	:: else -> md = 0
	fi;
enqueue:
	if
	:: cancels && !woke -> goto giveup
	:: true
	fi;
	atomic {
		FENCE && bucket == 0;
		if
#ifndef M_LAX_QUEUE
		:: !fenced -> goto raise
#endif
		:: else
		fi;
G_queue:
		had = parked; was = woke;
		parked = 1;
		if
		:: over -> handoff = 1; over = 0
		:: else
		fi;
H_resign:
		if
#ifndef M_KEEPS_WOKEN
		:: woke -> woken = 0; woke = 0
#endif
		:: else
		fi;
		woke = 0;
		bucket = me + 1
	}
A_look:
	atomic {
		FENCE;
		if
#ifndef M_NO_RECHECK
		:: locked == 0 -> locked = 1; goto took
#endif
		:: else
		fi;
		push(me + 1, was);
		was = 0; had = 0; bucket = 0
	}
S_sleep:
	if
	:: atomic { told[me] == 2 -> told[me] = 0; goto section }
	:: atomic { told[me] == 1 -> told[me] = 0; woke = 1 }
	:: atomic { cancels && told[me] == 0 && bucket == 0 -> pull(me + 1); goto giveup }
	fi;
compete:
	if
	:: atomic { FENCE && locked == 0 -> locked = 1 }
	:: atomic { FENCE && locked == 1 -> over = 0; goto raise }
	:: atomic { FENCE && locked == 1 -> over = 1; goto raise }
	:: cancels -> goto giveup
	fi;
	atomic { woken = 0; woke = 0; goto section }
took:
	atomic {
		if
		:: was -> handoff = 0
		:: else
		fi;
		if
		:: !had -> parked = 0; handoff = 0
		:: else
		fi;
		bucket = 0
	}

section:
	atomic { inside++; assert(inside == 1) }
	atomic {
		inside--;
		assert(locked == 1);
		first = 0; was = 0; had = 0;
		if
		:: EMPTY -> goto hint
		:: !EMPTY && CALM -> goto drop
		:: else -> goto slow
		fi
	}
hint:
	if
	:: mode == ASYM -> goto plain
	:: else
	fi;
B_exchange:
	atomic { FENCE -> locked = 0 }
	atomic {
		if
		:: EMPTY -> goto done
		:: else -> goto late
		fi
	}
plain:
	atomic { FENCE -> pend[me] = 1 }
#ifdef M_CTL_BEFORE_MODE
	seen = !EMPTY;
	atomic {
		if
		:: mode != ASYM || seen -> goto late
		:: else -> goto done
		fi
	}
#endif
D_release:
	atomic {
		if
		:: mode != ASYM -> goto late
		:: else
		fi
	}
D_ctl:
	atomic {
		if
		:: EMPTY -> goto done
		:: else
		fi
	}
late:
#ifndef M_UNFENCED
B_fence:
	atomic { FENCE }
#endif
	atomic {
		if
		:: MAYWAKE -> goto look
		:: else -> goto done
		fi
	}
slow:
	if
	:: true -> goto drop
	:: atomic {
		bucket == 0 && parked ->
		head = q0;
		pull(head);
		handoff = 0;
S_grant:
		told[head - 1] = 2; head = 0;
		goto done
	}
	fi;
drop:
	atomic { FENCE -> pend[me] = 1 }
B_count:
	atomic {
		FENCE -> dirty = 1;
		if
		:: MAYWAKE -> goto look
		:: !MAYWAKE && CALM
		:: else -> goto done
		fi
	}
	if
	:: goto done
	:: true
	fi;
G_clear:
#ifdef M_CLEAR_IN_TWO
	atomic { fenced = 0; dirty = 0; parked = 0; woken = 0; handoff = 0 }
#else
	atomic {
		if
		:: CALM -> fenced = 0; dirty = 0
		:: else
		fi
	}
#endif
	goto done;

giveup:
#ifdef M_BLIND
	if
	:: first -> goto done
	:: else
	fi;
#endif
	atomic {
		if
		:: woke -> woken = 0; woke = 0;
#ifdef M_KEEPS_WAKE
			goto done
#endif
		:: else
		fi;
		if
		:: MAYWAKE
		:: else -> goto done
		fi
	}
look:
	atomic {
		if
		:: LOCKED != 0 -> goto done
		:: LOCKED == 0 && FENCE && bucket == 0 -> bucket = me + 1
		fi
	}
	atomic {
		bucket = 0;
		if
		:: MAYWAKE && q0 != 0 ->
			head = q0;
			pull(head);
			woken = 1;
S_wake:
			told[head - 1] = 1; head = 0
		:: else
		fi
	}
done:
	round--;
	if
	:: round > 0 -> goto again
	:: else
	fi;
	finished++
}

/* switch turns the asymmetric mode on and off, as often as the configuration says. */
proctype switch() {
	byte on = ON, off = OFF, set;
	do
	:: mode == SYM && on > 0 -> on--;
E_on:
		mode = ASYM
	:: mode == ASYM && off > 0 -> off--;
#ifndef M_OFF_AT_ONCE
		mode = LEAVING;
		barrier(set);
#endif
F_off:
		mode = SYM
	:: (mode == SYM && on == 0) || (mode == ASYM && off == 0) -> break
	od
}

init {
	byte i;
	atomic {
		i = 0;
		do
		:: i < WORKERS -> run worker(i); run buffer(i); i++
		:: else -> break
		od;
		run switch()
	}
	/* I1 and I3 at the end: nothing is left behind but FENCED and a count. */
	finished == WORKERS && !pend[0] && !pend[WORKERS - 1] && !pend[WORKERS / 2];
	assert(!locked && CALM && q0 == 0 && bucket == 0)
}

#ifdef LIVE
ltl progress { <> (finished == WORKERS) }
#endif
