/* Why what the store has for a node's session and what the node believes stay in step.
 *
 * One node is modelled whole: its session, its batches, its leases of different ttl. All other
 * nodes together are OTHERS, who do at any moment whatever the store lets anybody do. So what holds
 * here holds for any number of nodes: whoever believes in a lease is who the store says has it, and
 * the store names one.
 *
 * The store applies a batch in one step. Lease time may stand still while real time goes on, but
 * never the other way round: leaders, log and rates of clocks are the matter of lease.pml. Times
 * are ages and a token is the lease's last or an older one, so the graph is finite though nothing
 * is bounded but ages past any ttl. */

#define ERRORS(F) \
  F(HEARD_TIME) F(DEAD_WAITER) F(HANDED_TOKEN) F(LEAVE_QUEUE) F(LEAVE_GRANT) F(TWICE) \
  F(REVOKED_RENEWS) F(REVOKED_UNTOLD) F(CONFIRM_REVIVES) F(ACK_REVIVES) F(VOUCHES_FOR_ALL) \
  F(NO_LEDGER) F(STALE_EXPIRY) F(LATE_RELEASE) F(SAME_TOKEN) F(SESSION_FIRST)
#include "seeded.pml"

#ifndef LEASES
#define LEASES 2
#endif
#ifndef TTL_0
#define TTL_0 2
#endif
#ifndef TTL_1
#define TTL_1 1
#endif
#ifndef OLDEST
#define OLDEST 2    /* the ttl of the session, and the age from which on ages are not told apart */
#endif
#define TTL(l) ((l)==0 -> TTL_0 : TTL_1)

/* How many of the leases are waited for, confirmed, revoked; whether news can get lost. */
#ifndef WAITS
#define WAITS 1
#endif
#ifndef CONFIRMS
#define CONFIRMS 1
#endif
#ifndef REVOKES
#define REVOKES 1
#endif
#ifndef LOSES_NEWS
#define LOSES_NEWS 1
#endif

/* Within so many exchanges with the store a grant that nobody believes in is given back: the one
 * under way, one that tells or lists it, one that gives it back. */
#define EXCHANGES 3

#define NOTHING 0
/* owner */
#define NOBODY 0
#define NODE 1
#define OTHERS 2
/* is: what the node is about with a lease */
#define IDLE 0
#define ASKING 1
#define QUEUED 2
#define LEAVING 3
#define CONFIRMING 4
/* hold, ledger: the token a node knows */
#define NONE 0
#define LAST 1
#define OLDER 2
/* back: what to give back, a grant with one of these tokens or what the last acquire brings */
#define LEAVE 3
/* ask */
#define TRY 1
#define WAIT 2
#define CONFIRM_LAST 3
#define CONFIRM_OLDER 4
/* answer */
#define GRANTED_LAST 1
#define GRANTED_OLDER 2
#define IN_QUEUE 3
#define NO 4
#define CONFIRMED 5
#define NOT_HELD 6
/* news, told: what became of the node's hold or place since its last batch */
#define ENDED 1
#define SKIPPED 2
#define HANDED_LAST 3
#define HANDED_OLDER 4
#define HANDED_AND_REVOKED 5
#define HANDED_AND_ENDED 6
/* listed: whether the store has a hold, and whether the node knew it then */
#define KNOWN 1
#define UNKNOWN_LAST 2
#define UNKNOWN_OLDER 3

typedef Lease {
  /* the store's row, and its news for the node */
  byte owner; bool queued; bool revoked; byte revokedLeft; byte news;
  /* the node, and what its next batch gives back and asks */
  byte hold; byte is; byte back; byte ask;
  /* the batch on its way; once applied, what it answers */
  byte sentBack; byte sentAsk; byte answer; byte told; byte listed;
  /* the token the node knows of by the replies, counting the one on its way */
  byte ledger;
  /* for the checks: the hold with the last token was seen dead; that token has been granted; lease
   * time since it was revoked; exchanges in which nobody believed in it */
  bool dead; bool granted; byte revokedAge; byte unbelieved;
  /* for errors: an expiry under way, a second copy of an acquire */
  bool proposed; byte copy
}
Lease lease[LEASES];
#define L lease[l]
#define N lease[n]

/* the session: in the store, lease time since its renewal; at the node, time since the batch that
 * was acknowledged last was first sent */
bool open = true; byte age;
bool hasSession = true; byte heard;
/* the batch: none, on its way, applied */
byte batch; byte sent;
#define ON_ITS_WAY 1
#define APPLIED 2
bool opens; bool lists; bool toList;
bool unknown; bool agrees; bool newsLost;

byte l; byte token; bool others;
#define EACH l=0; do :: l<LEASES ->
#define NEXT ; l++ :: else -> break od; l=0

#define ALIVE(l) (lease[l].hold!=NONE && heard<TTL(l))
#define LIVES(l) (age<TTL(l))
#define DUE(l) (lease[l].owner==NODE && (lease[l].revoked && !SEEDED(REVOKED_RENEWS) \
  -> lease[l].revokedLeft==0 : !LIVES(l)))
/* What the store's digest counts. */
#define HAS(l) (lease[l].owner==NODE && (!lease[l].revoked || SEEDED(REVOKED_UNTOLD)))
#define WANTS(l) (lease[l].is==QUEUED || lease[l].is==LEAVING || AWAITS_ANSWER(l))
#define AWAITS_ANSWER(l) (lease[l].is==ASKING && lease[l].ask==NOTHING)
#define AWAITS_CONFIRMATION(l) (lease[l].is==CONFIRMING && lease[l].ask==NOTHING)
#define LEAVES(l) (lease[l].back==LEAVE || batch==ON_ITS_WAY && lease[l].sentBack==LEAVE)
#define OLDER_THAN(t) (t==LAST -> OLDER : t)
#define UP(t) (t<OLDEST -> t+1 : OLDEST)
#define CLAIMS(l) (lease[l].owner==NODE || lease[l].queued)
#if LEASES==1
#define ANY_CLAIM CLAIMS(0)
#define ANY_NEWS (lease[0].news!=NOTHING)
#else
#define ANY_CLAIM (CLAIMS(0) || CLAIMS(1))
#define ANY_NEWS (lease[0].news!=NOTHING || lease[1].news!=NOTHING)
#endif

inline check() {
  EACH
    assert(!ALIVE(l) || L.owner==NODE && L.hold==LAST);        /* one holder, the store's */
    assert(!ALIVE(l) || !L.dead);                              /* what was dead stays dead */
    assert(L.unbelieved<=EXCHANGES);                           /* no orphan */
    assert(!L.revoked || L.revokedAge<TTL(l) || DUE(l));       /* the revoked ends in a ttl */
    assert(L.owner!=NODE || open)                              /* no hold without a session */
  NEXT
}

/* ---- The store ---- */

/* A new token is greater than all before: whatever names a token names an older one from now on. */
inline newToken(l) {
  L.hold=OLDER_THAN(L.hold); L.ledger=OLDER_THAN(L.ledger);
  L.back=OLDER_THAN(L.back); L.sentBack=OLDER_THAN(L.sentBack);
  L.ask=(L.ask==CONFIRM_LAST -> CONFIRM_OLDER : L.ask);
  L.sentAsk=(L.sentAsk==CONFIRM_LAST -> CONFIRM_OLDER : L.sentAsk);
  L.answer=(L.answer==GRANTED_LAST -> GRANTED_OLDER : L.answer);
  L.told=(L.told==HANDED_LAST -> HANDED_OLDER
    : (L.told==HANDED_AND_REVOKED -> HANDED_AND_ENDED : L.told));
  L.listed=(L.listed==UNKNOWN_LAST -> UNKNOWN_OLDER : L.listed);
  L.dead=0; L.granted=0; L.proposed=0; L.unbelieved=0
}

inline grant(l) {
  assert(open && LIVES(l));              /* not to who may be gone */
  assert(WANTS(l) || LEAVES(l));         /* not to who was told no, or has left */
  assert(!L.granted);                    /* with a token of its own */
  L.owner=NODE; L.queued=0; L.granted=1
}

inline end(l) {
  L.owner=NOBODY; L.revoked=0; L.revokedLeft=0; L.revokedAge=0;
  if :: others -> othersGrant(l) :: else fi
}

inline othersGrant(l) { newToken(l); L.owner=OTHERS; L.granted=1 }

/* Others' hold has ended: it is the node's turn, if it waits and lives. */
inline handOver(l) {
  if
  :: L.queued && (LIVES(l) || SEEDED(DEAD_WAITER)) ->
     if :: SEEDED(HANDED_TOKEN) :: else -> newToken(l) fi;
     grant(l); L.news=HANDED_LAST
  :: L.queued && !LIVES(l) && !SEEDED(DEAD_WAITER) -> L.owner=NOBODY; L.queued=0; L.news=SKIPPED
  :: else -> L.owner=NOBODY
  fi
}

inline tellEnded(l) { L.news=(L.news==NOTHING || L.news==ENDED -> ENDED : HANDED_AND_ENDED) }
inline tellRevoked(l) { L.news=(L.news==NOTHING -> ENDED : HANDED_AND_REVOKED) }

inline revoke(l) {
  L.revoked=1; L.revokedLeft=(LIVES(l) -> TTL(l)-age : 0);
  if :: SEEDED(REVOKED_UNTOLD) :: else -> tellRevoked(l) fi
}

inline applyBack(l) {
  if
  :: L.sentBack==LEAVE ->
     if :: L.owner==NODE && !SEEDED(LEAVE_GRANT) -> end(l) :: else fi;
     if :: SEEDED(LEAVE_QUEUE) :: else -> L.queued=0 fi
  :: L.sentBack==LAST && L.owner==NODE -> end(l)
  :: else
  fi;
  L.sentBack=NOTHING
}

inline applyAsk(l) {
  if
  :: L.sentAsk==TRY || L.sentAsk==WAIT -> applyAcquire(l)
  :: L.sentAsk==CONFIRM_LAST -> L.answer=(HAS(l) -> CONFIRMED : NOT_HELD)
  :: L.sentAsk==CONFIRM_OLDER -> L.answer=NOT_HELD
  :: else
  fi;
  L.copy=(SEEDED(TWICE) && L.sentAsk<=WAIT -> L.sentAsk : NOTHING); L.sentAsk=NOTHING
}

/* Who acquires does not believe in an older hold of its own any more: that ends, and the new one
 * has a new token. */
inline applyAcquire(l) {
  if
  :: L.owner==NODE && SEEDED(SAME_TOKEN) -> L.answer=GRANTED_LAST
  :: else ->
     if :: L.owner==NODE -> end(l); L.told=ENDED :: else fi;
     if
     :: L.owner==NOBODY -> newToken(l); grant(l); L.answer=GRANTED_LAST
     :: else -> L.queued=(L.sentAsk==WAIT); L.answer=(L.queued -> IN_QUEUE : NO)
     fi
  fi
}

/* The digest of what the store has, against the ledger as it is once the node has this reply. */
inline compare(l) {
  if
  :: !newsLost || lists -> L.ledger=(HAS(l) -> LAST : NONE)
  :: else -> L.ledger=(L.answer==GRANTED_LAST -> LAST : L.ledger)
  fi;
  agrees=agrees && L.ledger==(HAS(l) -> LAST : NONE);
  L.listed=(lists && HAS(l) -> (L.hold==LAST -> KNOWN : UNKNOWN_LAST) : NONE)
}

inline applyBatch() {
  batch=APPLIED; agrees=1;
  if
  :: opens -> open=1; age=0
  :: !opens && !open -> unknown=1; EACH L.sentBack=NOTHING; L.sentAsk=NOTHING NEXT
  :: else ->
     age=0;
     EACH L.told=L.news; L.news=NOTHING; applyBack(l); applyAsk(l); compare(l) NEXT;
     agrees=agrees || SEEDED(NO_LEDGER); newsLost=0
  fi
}

/* ---- The node ---- */

inline giveBack(l,t) { if :: L.back==LEAVE :: else -> L.back=t fi }
inline lose(l) { L.dead=(L.dead || L.hold==LAST); L.hold=NONE }
inline askAgain(l) { L.is=ASKING; L.ask=WAIT }

/* A grant heard of after its deadline is none. */
inline believe(l,t) {
  if :: SEEDED(HEARD_TIME) && L.answer==NOTHING -> heard=0 :: else fi;
  if :: heard<TTL(l) -> L.hold=t :: else -> giveBack(l,t) fi;
  L.is=IDLE
}

/* The caller has gone, or has waited long enough: nothing may come of what was asked. */
inline withdraw(l,then) {
  if
  :: L.ask!=NOTHING -> L.ask=NOTHING; L.is=IDLE
  :: else -> L.back=LEAVE; L.is=then
  fi
}

inline send() {
  batch=ON_ITS_WAY; sent=0;
  if
  :: !hasSession -> opens=1
  :: else ->
     lists=toList; toList=0;
     EACH L.sentBack=L.back; L.back=NOTHING; L.sentAsk=L.ask; L.ask=NOTHING NEXT
  fi
}

inline endOverdue() {
  EACH
    if
    :: L.hold!=NONE && !ALIVE(l) && !SEEDED(ACK_REVIVES) -> giveBack(l,L.hold); lose(l)
    :: else
    fi
  NEXT
}

/* What is revoked is free as soon as what is given back here arrives. */
inline hearOfEnds() {
  EACH
    if
    :: L.told==ENDED && L.hold!=NONE -> giveBack(l,L.hold); lose(l)
    :: L.told==SKIPPED && L.is==QUEUED -> L.is=IDLE
    :: lists && L.hold!=NONE && L.listed!=KNOWN -> lose(l)
    :: else
    fi
  NEXT
}

inline hearOfGrants() {
  EACH
    if
    :: L.told==HANDED_LAST || L.told==HANDED_OLDER ->
       token=(L.told==HANDED_LAST -> LAST : OLDER);
       if :: L.is==QUEUED -> believe(l,token) :: else -> giveBack(l,token) fi
    :: L.told==HANDED_AND_REVOKED || L.told==HANDED_AND_ENDED ->
       if :: L.told==HANDED_AND_REVOKED -> giveBack(l,LAST) :: else fi;
       if :: L.is==QUEUED -> askAgain(l) :: else fi
    :: else
    fi
  NEXT
}

inline hearAnswers() {
  EACH
    if
    :: AWAITS_ANSWER(l) && L.answer==GRANTED_LAST -> believe(l,LAST)
    :: AWAITS_ANSWER(l) && L.answer==GRANTED_OLDER -> believe(l,OLDER)
    :: AWAITS_ANSWER(l) && L.answer==IN_QUEUE -> L.is=QUEUED
    :: AWAITS_ANSWER(l) && L.answer==NO -> L.is=IDLE
    :: AWAITS_CONFIRMATION(l) ->
       if
       :: L.answer==CONFIRMED && ALIVE(l) -> L.is=IDLE
       :: L.answer==CONFIRMED && !ALIVE(l) && SEEDED(CONFIRM_REVIVES) -> L.is=IDLE; L.hold=LAST
       :: else -> lose(l); askAgain(l)
       fi
    :: L.is==LEAVING && L.back!=LEAVE -> L.is=IDLE
    :: else
    fi
  NEXT
}

/* What the list has and nobody here knows of is news that was lost, or an orphan. */
inline hearList() {
  EACH
    if
    :: L.listed==UNKNOWN_LAST || L.listed==UNKNOWN_OLDER ->
       token=(L.listed==UNKNOWN_LAST -> LAST : OLDER);
       if
       :: L.hold==token
       :: L.hold!=token && L.is==QUEUED -> believe(l,token)
       :: else -> giveBack(l,token)
       fi
    :: else
    fi
  NEXT
}

inline loseSession() {
  hasSession=0; heard=OLDEST; toList=0;
  EACH
    lose(l); L.ledger=NONE; L.back=NOTHING;
    if
    :: AWAITS_ANSWER(l) || L.is==CONFIRMING -> askAgain(l)
    :: L.is==QUEUED || L.is==LEAVING -> L.is=IDLE
    :: else
    fi
  NEXT
}

inline hear() {
  if
  :: unknown -> loseSession()
  :: opens && !unknown -> hasSession=1; heard=sent
  :: else ->
     endOverdue();
     if :: SEEDED(VOUCHES_FOR_ALL) && sent<heard -> heard=sent :: else fi;
     hearOfEnds();
     if :: agrees && sent<heard -> heard=sent :: else fi;
     hearOfGrants(); hearAnswers(); hearList();
     toList=toList || !agrees
  fi;
  batch=NOTHING; sent=0; opens=0; lists=0; agrees=0; unknown=0; token=0;
  EACH
    L.answer=NOTHING; L.told=NOTHING; L.listed=NONE;
    if
    :: L.owner==NODE && !L.revoked && L.hold==NONE && L.is!=ASKING && L.is!=CONFIRMING ->
       L.unbelieved++
    :: else -> L.unbelieved=0
    fi
  NEXT
}

/* ---- Time ---- */

inline tick() {
  heard=UP(heard); sent=(batch!=NOTHING -> UP(sent) : 0);
  EACH L.dead=(L.dead || L.hold==LAST && heard>=TTL(l)) NEXT
}

inline leaseTick() {
  age=UP(age);
  EACH
    L.revokedLeft=(L.revokedLeft>0 -> L.revokedLeft-1 : 0);
    L.revokedAge=(L.revoked -> UP(L.revokedAge) : 0)
  NEXT
}

/* A batch may be handed over many times: one copy is applied at most, and its answer repeated. */
active proctype Session() {
  do
  :: atomic { true -> d_step { tick(); check() } }
  :: atomic { true -> d_step { tick(); leaseTick(); check() } }
  :: atomic { batch==NOTHING -> d_step { send() } }
  :: atomic { batch==ON_ITS_WAY ->
       if :: others=0 :: others=1 fi;
       d_step { applyBatch(); others=0; check() } }
  :: atomic { batch==APPLIED -> d_step { hear(); check() } }
  :: atomic { LOSES_NEWS && ANY_NEWS -> d_step { newsLost=1; EACH L.news=NOTHING NEXT } }
  :: atomic { open && age==OLDEST && (!ANY_CLAIM || SEEDED(SESSION_FIRST)) ->
       d_step { open=0; newsLost=0; EACH L.news=NOTHING NEXT; check() } }
  od
}

active [LEASES] proctype Steps() {
  byte n=_pid-1;
  do
  /* callers, and the deadline */
  :: atomic { N.is==IDLE && N.hold==NONE -> d_step { N.is=ASKING; N.ask=TRY } }
  :: atomic { n<WAITS && N.is==IDLE && N.hold==NONE -> d_step { N.is=ASKING; N.ask=WAIT } }
  :: atomic { n<CONFIRMS && N.is==IDLE && ALIVE(n) ->
       d_step { N.is=CONFIRMING; N.ask=(N.hold==LAST -> CONFIRM_LAST : CONFIRM_OLDER) } }
  :: atomic { N.is==ASKING || N.is==QUEUED -> d_step { withdraw(n,IDLE) } }
  :: atomic { N.is==QUEUED -> d_step { withdraw(n,LEAVING) } }
  :: atomic { N.is==LEAVING -> d_step { N.is=IDLE } }
  :: atomic { N.is==CONFIRMING -> d_step { N.is=IDLE; N.ask=NOTHING } }
  :: atomic { N.hold!=NONE ->
       d_step { giveBack(n,N.hold); if :: SEEDED(LATE_RELEASE) :: else -> lose(n) fi } }
  /* the store's own part, the operator's, and the others' */
  :: atomic { DUE(n) ->
       if :: others=0 :: others=1 fi;
       d_step { tellEnded(n); end(n); others=0; check() } }
  :: atomic { SEEDED(STALE_EXPIRY) && DUE(n) -> d_step { N.proposed=1 } }
  :: atomic { N.proposed && N.owner==NODE -> d_step { tellEnded(n); end(n); check() } }
  :: atomic { N.queued && !LIVES(n) -> d_step { N.queued=0; N.news=SKIPPED } }
  :: atomic { n<REVOKES && N.owner==NODE && !N.revoked -> d_step { revoke(n); check() } }
  :: atomic { N.owner==NOBODY -> d_step { othersGrant(n) } }
  :: atomic { N.owner==OTHERS -> d_step { handOver(n); check() } }
  :: atomic { open && N.copy!=NOTHING && N.owner==NOBODY ->
       d_step { age=0; newToken(n); grant(n); N.copy=NOTHING } }
  od
}
