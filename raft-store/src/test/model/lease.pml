/* Why two clients never hold one lease at once, whatever leaders, delays, retries and clocks do.
 *
 * Client 0 acquires, renews and releases, client 1 acquires and releases. Either may give up a call
 * and never know what came of it. Two replicas lead in turn. Raft is what it promises: a queue of
 * appended entries, of which a change of leader keeps any first part; an entry is committed and
 * applied in one step.
 *
 * All times are differences and all tokens relations, so time, calls, grants and leaders are
 * unbounded in a finite graph. In three ticks a clock moves by 2, 3 or 4 (STEP): it is off by a
 * third. With a ttl of 4 a holder may then believe in it for 4 * (2/3) / (4/3) = 2 by its own
 * clock, and not a tick longer. */

#define ERRORS(F) \
  F(MARGIN) F(ACK_TIME) F(RETRY_TIME) F(LATE_RELEASE) F(SHRINK) F(OLD_ANCHOR) F(ANY_TERM) \
  F(SAME_TOKEN) F(NO_LATCH)
#include "seeded.pml"

#ifndef TTL
#define TTL 4
#endif
#ifndef LIFE
#define LIFE 2      /* how long a holder believes in it */
#endif
#ifndef AHEAD
#define AHEAD 5     /* so far at most is the leader's lease clock beyond what has been applied */
#endif
#ifndef QUEUE
#define QUEUE 1     /* entries appended and not yet committed */
#endif

/* Rates of the clocks: 0 true, 1 fast, 2 slow. Worst are fast leaders and a slow holder. */
#ifndef RATE_A
#define RATE_A 1
#endif
#ifndef RATE_B
#define RATE_B 1
#endif
#ifndef RATE_0
#define RATE_0 2
#endif
#ifndef RATE_1
#define RATE_1 0
#endif
#define STEP(rate) (rate==0 -> 1 : (rate==1 -> (phase==0 -> 2 : 1) : (phase==0 -> 0 : 1)))

#define MINUS(a,b) ((a)>(b) -> (a)-(b) : 0)
#define MAX(a,b) ((a)>(b) -> (a) : (b))
#define MIN(a,b) ((a)<(b) -> (a) : (b))

#define NOBODY 2
/* what an entry or a call is about */
#define NOTHING 0
#define ACQUIRE 1
#define RENEW 2
#define RELEASE 3
#define EXPIRE 4
/* what a client is */
#define IDLE 0
#define ASKING 1
#define HOLDS 2
#define RELEASING 3
/* replies */
#define YES 1
#define NO 2

/* An entry, or what is about to become one. */
typedef Entry {
  byte what;
  byte from;
  byte stamp;        /* less lease time */
  bool ofCall;       /* it is a copy of its client's present call */
  bool ofTerm;       /* it was stamped in the term it is appended in */
  bool ofGrant       /* it names the token of the present grant */
}

typedef Client {
  byte is;
  byte left;         /* until its own deadline */
  byte call;         /* what its present call is about */
  byte fresh;        /* what is left of that call's worth, if it is answered */
  bool toSend;       /* a copy of it is on its way to the leader */
  byte reply;        /* an answer to it is on its way back */
  bool replyGrants;  /* and names the token of the present grant */
  bool ofGrant       /* the token it knows is that of the present grant */
}

/* the group */
byte phase;
bool leader;
bool ready = true;
byte appended; Entry log[QUEUE];
Entry slot[2];       /* stamped by a replica and not yet appended */
byte clock;          /* the leader's lease clock, less lease time */
bool hasLed[2]; byte oldClock[2];    /* what a replica's clock of an earlier term tells */
/* the table */
byte owner = NOBODY;
byte expiry;         /* less lease time */
bool ofCall;         /* the present grant was made by its owner's present call */
/* the clients */
Client client[2];
#define C0 client[0]
#define C1 client[1]
#define X client[x]
#define E log[0]

byte i; byte who; byte by; bool underWay;

/* The gap between stamp and append makes the graph much larger, and only one error needs it. */
#ifdef SLOTS
#define STAMPS_EARLY (1)
#else
#define STAMPS_EARLY SEEDED(ANY_TERM)
#endif

#define ALIVE(x) (client[x].is==HOLDS && client[x].left>0)
#define WORTH (SEEDED(MARGIN) -> LIFE+1 : LIFE)
#define EACH_ENTRY i=0; do :: i<appended ->
#define NEXT ; i++ :: else -> break od; i=0
#define IS_QUIET (appended==0 && slot[0].what==NOTHING && slot[1].what==NOTHING)

inline check() { assert(!(ALIVE(0) && ALIVE(1))) }       /* one holder */

inline clear(e) { e.what=NOTHING; e.from=0; e.stamp=0; e.ofCall=0; e.ofTerm=0; e.ofGrant=0 }
inline copy(a,b) {
  a.what=b.what; a.from=b.from; a.stamp=b.stamp;
  a.ofCall=b.ofCall; a.ofTerm=b.ofTerm; a.ofGrant=b.ofGrant
}
inline write(e,w,x,g) {
  e.what=w; e.from=x; e.stamp=clock; e.ofCall=(w!=EXPIRE); e.ofTerm=1; e.ofGrant=g
}

/* ---- The store ---- */

/* A new token is greater than all before: whatever names another one names an older one. */
inline newToken() {
  EACH_ENTRY log[i].ofGrant=0 NEXT;
  slot[0].ofGrant=0; slot[1].ofGrant=0;
  C0.ofGrant=0; C0.replyGrants=0; C1.ofGrant=0; C1.replyGrants=0
}

inline leaseTimeGrows(d) {
  expiry=MINUS(expiry,d); clock=MINUS(clock,d);
  oldClock[0]=MINUS(oldClock[0],d); oldClock[1]=MINUS(oldClock[1],d);
  EACH_ENTRY log[i].stamp=MINUS(log[i].stamp,d) NEXT;
  slot[0].stamp=MINUS(slot[0].stamp,d); slot[1].stamp=MINUS(slot[1].stamp,d)
}

inline answer(r) {
  if :: E.ofCall -> client[who].reply=r; client[who].replyGrants=(r==YES) :: else fi
}

inline extend() { expiry=(SEEDED(SHRINK) -> 1 : MAX(expiry,TTL)) }
inline free() { owner=NOBODY; ofCall=0; expiry=0 }

/* A call asked again gets its grant again; another call of the owner's gets a new one. */
inline acquire() {
  if
  :: owner!=NOBODY && expiry>0 && owner!=who -> answer(NO)
  :: owner==NOBODY || expiry==0 -> newToken(); owner=who; ofCall=E.ofCall; expiry=TTL; answer(YES)
  :: else ->
     if
     :: SEEDED(SAME_TOKEN) ->
        assert(!E.ofCall || ofCall);                      /* no two calls get one token */
        extend(); answer(YES)
     :: !SEEDED(SAME_TOKEN) && ofCall && E.ofCall -> extend(); answer(YES)
     :: !SEEDED(SAME_TOKEN) && ofCall && !E.ofCall -> skip           /* older than the grant's */
     :: !SEEDED(SAME_TOKEN) && !ofCall -> newToken(); ofCall=E.ofCall; extend(); answer(YES)
     fi
  fi
}

/* A stamp of another term is void, and what it was for is asked again. */
inline applyFirst() {
  who=E.from;
  if
  :: E.what!=EXPIRE && !E.ofTerm && !SEEDED(ANY_TERM) -> E.what=NOTHING
  :: else -> by=E.stamp; leaseTimeGrows(by); by=0
  fi;
  if
  :: E.what==ACQUIRE -> acquire()
  :: E.what==RENEW && owner==who && E.ofGrant -> extend(); answer(YES)
  :: E.what==RENEW && !(owner==who && E.ofGrant) -> answer(NO)
  :: E.what==RELEASE -> if :: owner==who && E.ofGrant -> free() :: else fi; answer(NO)
  :: E.what==EXPIRE -> if :: owner!=NOBODY && E.ofGrant && expiry==0 -> free() :: else fi
  :: else
  fi;
  who=0;
  i=1; do :: i<appended -> copy(log[i-1],log[i]) NEXT;
  appended--; clear(log[appended]);
  forgetClocks()
}

/* Where nobody holds and nothing is under way, lease time tells nobody anything. */
inline forgetClocks() {
  if
  :: owner==NOBODY && IS_QUIET -> clock=0; oldClock[0]=0; oldClock[1]=0; hasLed[0]=0; hasLed[1]=0
  :: else
  fi
}

/* ---- A client ---- */

inline endHold(x) { X.is=RELEASING; X.left=0 }
inline idle(x) { X.is=IDLE; X.left=0; X.ofGrant=0 }

inline begin(x,w) {
  X.call=w; X.toSend=1;
  if :: w==RELEASE :: else -> X.fresh=WORTH fi
}

/* Answered or given up: every copy that is still about is of an older call. */
inline over(x) {
  X.call=NOTHING; X.fresh=0; X.toSend=0; X.reply=0; X.replyGrants=0;
  if :: owner==x -> ofCall=0 :: else fi;
  EACH_ENTRY if :: log[i].from==x -> log[i].ofCall=0 :: else fi NEXT;
  if :: slot[0].from==x -> slot[0].ofCall=0 :: else fi;
  if :: slot[1].from==x -> slot[1].ofCall=0 :: else fi
}

/* The deadline counts from when the call was first sent, and a late answer revives nothing. */
inline hear(x) {
  by=(SEEDED(ACK_TIME) -> LIFE : X.fresh);
  if
  :: X.reply==YES && X.call==ACQUIRE -> X.is=HOLDS; X.ofGrant=X.replyGrants; X.left=by
  :: X.reply==YES && X.call==RENEW ->
     if
     :: X.left>0 || SEEDED(NO_LATCH) ->
        assert(X.left>0 || by==0);                        /* what was dead stays dead */
        X.left=MAX(X.left,by)
     :: else -> idle(x)
     fi
  :: else -> idle(x)
  fi;
  by=0; over(x)
}

inline tick() {
  phase=(phase+1)%3;
  if :: ready -> clock=clock+(leader==0 -> STEP(RATE_A) : STEP(RATE_B)) :: else fi;
  if :: hasLed[0] -> oldClock[0]=MIN(oldClock[0]+STEP(RATE_A),AHEAD) :: else fi;
  if :: hasLed[1] -> oldClock[1]=MIN(oldClock[1]+STEP(RATE_B),AHEAD) :: else fi;
  forgetClocks();
  C0.left=MINUS(C0.left,STEP(RATE_0)); C0.fresh=MINUS(C0.fresh,STEP(RATE_0));
  C1.left=MINUS(C1.left,STEP(RATE_1)); C1.fresh=MINUS(C1.fresh,STEP(RATE_1))
}

/* ---- The leader ---- */

inline append(x) {
  write(log[appended],X.call,x,X.ofGrant);
  appended++; X.toSend=0
}

inline proposeExpiry() {
  underWay=0;
  EACH_ENTRY if :: log[i].what==EXPIRE && log[i].ofGrant -> underWay=1 :: else fi NEXT;
  if :: underWay :: else -> write(log[appended],EXPIRE,0,1); appended++ fi;
  underWay=0
}

inline elect(r) {
  hasLed[leader]=SEEDED(OLD_ANCHOR); oldClock[leader]=(SEEDED(OLD_ANCHOR) -> clock : 0);
  leader=r; ready=0; clock=0; slot[0].ofTerm=0; slot[1].ofTerm=0; who=0
}

/* Its clock starts at lease time once all of earlier terms has been applied. */
inline becomeReady() { ready=1; clock=oldClock[leader]; hasLed[leader]=0; oldClock[leader]=0 }

active proctype System() {
  do
  :: atomic { clock+2<=AHEAD -> d_step { tick(); check() } }

  /* Clients begin a call. A release ends the hold before it is sent. */
  :: atomic { C0.is==IDLE && C0.call==NOTHING -> d_step { begin(0,ACQUIRE); C0.is=ASKING } }
  :: atomic { C1.is==IDLE && C1.call==NOTHING -> d_step { begin(1,ACQUIRE); C1.is=ASKING } }
  :: atomic { ALIVE(0) && C0.call==NOTHING -> d_step { begin(0,RENEW) } }
  :: atomic { ALIVE(0) && C0.call==NOTHING ->
       d_step { begin(0,RELEASE); if :: SEEDED(LATE_RELEASE) :: else -> endHold(0) fi } }
  :: atomic { C1.is==HOLDS && C1.call==NOTHING ->
       d_step { begin(1,RELEASE); endHold(1) } }

  /* They send the call again, or give it up; an answer is lost, or comes; a deadline passes. */
  :: atomic { C0.call!=NOTHING && !C0.toSend ->
       d_step { C0.toSend=1; C0.fresh=(SEEDED(RETRY_TIME) -> LIFE : C0.fresh) } }
  :: atomic { C1.call!=NOTHING && !C1.toSend -> d_step { C1.toSend=1 } }
  :: atomic { C0.call!=NOTHING && C0.is!=HOLDS -> d_step { over(0); idle(0) } }
  :: atomic { C1.call!=NOTHING && C1.is!=HOLDS -> d_step { over(1); idle(1) } }
  :: atomic { C0.call==RENEW -> d_step { over(0) } }
  :: atomic { C0.reply!=NOTHING -> d_step { C0.reply=NOTHING; C0.replyGrants=0 } }
  :: atomic { C0.reply!=NOTHING -> d_step { hear(0); check() } }
  :: atomic { C1.reply!=NOTHING -> d_step { hear(1); check() } }
  :: atomic { C0.is==HOLDS && C0.left==0 && C0.call!=RELEASE && !SEEDED(NO_LATCH) ->
       d_step { over(0); idle(0) } }

  /* The leader stamps and appends calls, and the expiry of what looks due. */
  :: atomic { ready && appended<QUEUE && C0.toSend -> d_step { append(0) } }
  :: atomic { ready && appended<QUEUE && C1.toSend -> d_step { append(1) } }
  :: atomic { ready && appended<QUEUE && owner!=NOBODY && clock>=expiry ->
       d_step { proposeExpiry() } }
  /* As Ratis does it: stamps first and appends later, perhaps in another of its terms. */
  :: atomic { STAMPS_EARLY && ready && slot[leader].what==NOTHING && C0.toSend ->
       d_step { write(slot[leader],C0.call,0,C0.ofGrant); C0.toSend=0 } }
  :: atomic { STAMPS_EARLY && ready && slot[leader].what==NOTHING && C1.toSend ->
       d_step { write(slot[leader],C1.call,1,C1.ofGrant); C1.toSend=0 } }
  :: atomic { ready && appended<QUEUE && slot[leader].what!=NOTHING ->
       d_step { copy(log[appended],slot[leader]); appended++; clear(slot[leader]) } }
  :: atomic { slot[0].what!=NOTHING -> d_step { clear(slot[0]) } }
  :: atomic { slot[1].what!=NOTHING -> d_step { clear(slot[1]) } }

  /* Raft commits an entry, which is applied; the leader changes; the new one becomes ready. */
  :: atomic { appended>0 -> d_step { applyFirst(); check() } }
  :: atomic { ready ->
       if :: who=leader :: who=1-leader fi;
       d_step { elect(who) };
       do :: appended>0 -> appended--; clear(log[appended]) :: break od }
  :: atomic { !ready && appended==0 -> d_step { becomeReady() } }
  od
}
