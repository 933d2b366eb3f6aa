/*
 * The life of a key, for Spin 6.5. docs/MODEL.md explains it, launcher/model.sh runs it.
 *
 * Each branch of the loops is one step. A transaction is sent in one step; in another it takes effect or
 * is rolled back; its process may stop waiting for the answer before either. The comments at the end of
 * a step name the Java methods that take it. Between two steps a process may crash, lose the lock on its
 * name, or stand still for as long as the others like: one that is frozen takes no step.
 */
#ifndef KEYS /* launcher/model.sh gives all bounds */
#define KEYS 1
#define REQUESTS 1 /* 1: any process may get it; 2: each process gets its own */
#define CLAIMS 2   /* of each key */
#define CRASHES 1  /* of both processes together */
#define CUTS 1     /* how often PostgreSQL drops the connection of a lock */
#define STARTS 3   /* of both processes together; more while a run has left something */
#define ONLY 0     /* the promise to check, by its letter's place in the alphabet; 0: all */
#define KIND 0     /* 1: both processes have one name; 2: a dump is restored; 3: the same, with one process */
#define LEFT_OUT 0 /* the guard that is left out */
#endif
#define SAME_NAME (KIND == 1)
#define RESTORE (KIND >= 2)
#define ALONE (KIND == 3)
#define NO_DELETE (LEFT_OUT == 1)
#define NO_NUMBER (LEFT_OUT == 2)
#define NO_MARK (LEFT_OUT == 3)
#define NO_WAIT (LEFT_OUT == 4)
#define NO_LEDGER (LEFT_OUT == 5)
#define NO_STATUS (LEFT_OUT == 6)
#define NO_INSTANCE (LEFT_OUT == 7)
#define NO_LOCK (LEFT_OUT == 8)
#define NO_LOCK_AT_START (LEFT_OUT == 9)
#define NO_CORRECTION (LEFT_OUT == 10)
#define NO_AWAIT (LEFT_OUT == 11)
#define HOLDS(promise, condition) assert(ONLY != 0 && ONLY != promise || (condition))

#define NAME(p) (SAME_NAME -> 1 : p + 1) /* one name for two processes: the lock lets one of them run */
#define OF(p, ledger) (NO_INSTANCE && ledger != 0 || ledger == NAME(p))
#define FREE(name) (NO_LOCK || lock[name] == 0)
#define KEPT_LOCK(p) (on[p].cut == 0 && !(SAME_NAME && REQUESTS == 1))
#define HAS_LOCK(p) (lock[NAME(p)] == p + 1)

mtype = { claiming, claimed, loaded, leased, spent, recording }; /* a key in memory; 0: not there */
mtype = { claim, put_back, discard, outcome };                  /* a transaction */
mtype = { intent, queued, at_work };                            /* a request in memory */
mtype = { received, answerable, failed };                       /* a request on record */
mtype = { named, settled, begun, running, stopping, stopped, ending }; /* a process; 0: it does not run */

typedef Store { /* what PostgreSQL keeps; 0 where there is nothing */
  bool stored[KEYS];        /* pool_key has the row */
  byte number[KEYS];        /* pool_key.place */
  byte ledger[KEYS];        /* claimed_key.instance */
  byte claim_no[KEYS];      /* claimed_key.claim */
  mtype row[REQUESTS];      /* sign_request.status */
  byte owner[REQUESTS];     /* sign_request.instance */
  byte key_of[REQUESTS];    /* key_id or withheld_key_id: the key's place + 1 */
  byte reach;               /* pool_mark.place */
  byte run_of[3], run_before[3]; /* token_run, of each name */
  byte generated, used, forfeited, discarded, corrected, last_number
};
Store db;
typedef Process { /* what it has in memory; tx, inserting: what PostgreSQL still works on for it */
  mtype life; bool suspended, cut; /* cut: it has lost its lock since it started */
  mtype key[KEYS];
  byte act[KEYS];            /* the request that a key is leased to */
  byte unanswered[KEYS];     /* number of a claim whose commit was not answered */
  mtype request[REQUESTS];
  byte unrecorded[REQUESTS]; /* 1: without a key; otherwise the key's place + 2 */
  mtype tx[KEYS];
  bool inserting[REQUESTS]
};
Process on[2];
byte lock[3];                /* of each name: the process that holds it, + 1 */
byte mark[3];                /* in the token, of each name: the highest number that may have been claimed */
byte marked_run[3];          /* in the token, beside it; 0: no mark yet */
byte claims[KEYS], crashes, cuts, starts, answered[REQUESTS], j, on_record, last_run, i;
bool made[KEYS], has_signed[KEYS], unended[3], left_behind; /* left_behind: a run ended before the commit of an intent */

#define UP (on[p].life == running || on[p].life == stopping)
#define KEY on[p].key[k]
#define TX on[p].tx[k]
#define UNANSWERED on[p].unanswered[k]
#define ACT on[p].act[k]
#define REQUEST on[p].request[r]
#define UNRECORDED on[p].unrecorded[r]
#define LOCKED(k) (on[0].tx[k] == claim || on[1].tx[k] == claim)
#define UNUSED (KEY == claimed || KEY == loaded)
#define MARKS (RESTORE && !NO_MARK)
#define DOUBTED(p, i) (marked_run[i] != 0 && (marked_run[i] != db.run_of[i] && marked_run[i] != db.run_before[i] || unended[i] && (i == NAME(p) || lock[i] == 0)))
#define FORGOTTEN(r) (db.row[r] == received && db.owner[r] == NAME(p) && on[p].unrecorded[r] == 0 && !on[p].inserting[r])
#define LAST (REQUESTS - 1)
#define IDLE (on[p].key[0] == 0 && on[p].key[KEYS - 1] == 0 && on[p].request[0] == 0 && on[p].request[LAST] == 0)
#define SETTLED (db.ledger[0] == 0 && db.ledger[KEYS - 1] == 0 && db.row[0] != received && db.row[LAST] != received)

inline balance() { /* after each step that writes to the store */
  HOLDS(3, db.generated == db.used + db.forfeited + db.discarded + db.stored[0] + (db.ledger[0] != 0)
    + (KEYS == 1 -> 0 : db.stored[KEYS - 1] + (db.ledger[KEYS - 1] != 0)));
  HOLDS(7, (db.row[0] == answerable) + (REQUESTS == 2 && db.row[LAST] == answerable) <= db.used + db.corrected);
  for (j : 0 .. LAST) { HOLDS(2, answered[j] == 0 || db.row[j] == answerable && db.key_of[j] == answered[j]) }
  j = 0
}

inline enter_store() { db.stored[k] = true; db.last_number = db.last_number + RESTORE; db.number[k] = db.last_number }
inline come_back() { db.ledger[k] = 0; db.claim_no[k] = 0; enter_store() }
inline end_claim(which, whose, counter) { /* DELETE FROM claimed_key WHERE instance = ?, counted */
  if :: OF(whose, db.ledger[which]) -> db.ledger[which] = 0; db.claim_no[which] = 0; counter++ :: else fi
}
inline close_in_flight(name) {
  for (j : 0 .. LAST) { db.row[j] = (db.row[j] == received && db.owner[j] == name -> failed : db.row[j]) } j = 0
}
inline forfeit(whose) { for (j : 0 .. KEYS - 1) { end_claim(j, whose, db.forfeited) } balance() }
inline not_answered() { /* of two such claims of one key only the first is remembered, for fewer states */
  UNANSWERED = (KEY == claiming && UNANSWERED == 0 -> claims[k] : UNANSWERED);
  KEY = (KEY == claiming -> 0 : (KEY == recording -> spent : KEY))
}

inline discard_doubted(p) { /* what the marks of a restored store's former runs, or of crashed ones, cover */
  for (i : 1 .. 2) {
    for (j : 0 .. KEYS - 1) {
      if :: DOUBTED(p, i) && db.stored[j] && db.number[j] <= mark[i] -> db.stored[j] = false; db.discarded++ :: else fi
    }
    db.last_number = (db.last_number < mark[i] -> mark[i] : db.last_number)
  }
  i = 0; balance()
}
inline next_run(name) { db.run_before[name] = marked_run[name]; last_run++; db.run_of[name] = last_run }

proctype Key(byte p; byte k) {
end:
  do
  :: d_step { UP && !made[k] -> made[k] = true; enter_store(); db.generated++; balance() } /* JdbcWrappedKeyStore.addReserved */ /* JdbcWrappedKeyStore.addIfReserved */ /* JdbcWrappedKeyStore.add */
  :: d_step { UP && db.stored[k] && !LOCKED(k) && TX == 0 && KEY == 0 && claims[k] < CLAIMS && (!MARKS || db.number[k] <= mark[NAME(p)]) ->
       claims[k]++; TX = claim; KEY = claiming } /* Claims.claim */
  :: d_step { TX == claim ->
       TX = 0; db.stored[k] = NO_DELETE; db.ledger[k] = NAME(p); db.claim_no[k] = claims[k]; KEY = (KEY == claiming -> claimed : KEY); balance() } /* Claims.claim */
  :: atomic { UNANSWERED && !LOCKED(k) -> /* AWAIT_END */
       if :: OF(p, db.ledger[k]) && (NO_NUMBER || db.claim_no[k] == UNANSWERED) -> come_back(); balance() :: else fi;
       if :: UNANSWERED = 0 :: skip fi } /* Claims.putBackUnanswered */
  :: d_step { MARKS && UP && db.stored[k] && db.number[k] > mark[NAME(p)] ->
       db.reach = (db.number[k] > db.reach -> db.number[k] : db.reach); mark[NAME(p)] = db.reach } /* TokenMark.extend */
  :: d_step { KEY == claimed && db.key_of[0] != k + 1 && db.key_of[LAST] != k + 1 -> KEY = loaded } /* KeyScreen.barred */ /* KeyLoader.load */
  :: d_step { UNUSED && TX == 0 -> TX = put_back; KEY = 0 } /* KeyLoader.putBackStored */
  :: d_step { TX == put_back -> TX = 0; if :: NO_LEDGER || OF(p, db.ledger[k]) -> come_back() :: else fi; balance() } /* Claims.putBack */
  :: d_step { UNUSED && TX == 0 -> TX = discard; KEY = 0 } /* KeyLoader.discard */
  :: d_step { TX == discard -> TX = 0; end_claim(k, p, db.discarded); balance() } /* JdbcWrappedKeyStore.discard */
  :: atomic { KEY == loaded && UP && (on[p].request[0] == queued || on[p].request[LAST] == queued) ->
       ACT = (on[p].request[0] == queued -> 0 : LAST); on[p].request[ACT] = at_work; KEY = leased } /* KeyPools.lease */
  :: d_step { KEY == leased -> KEY = loaded; on[p].request[ACT] = 0; on[p].unrecorded[ACT] = 1; ACT = 0 } /* KeyLease.returnUnused */
  :: d_step { KEY == leased -> HOLDS(1, !has_signed[k]); has_signed[k] = true; KEY = spent } /* KeyLease.sign */ /* KeyLease.destroy */
  :: d_step { KEY == spent && TX == 0 -> TX = outcome; KEY = recording;
       answered[ACT] = (NO_WAIT -> k + 1 : answered[ACT]); balance() } /* RecordTransaction.commit */
  :: d_step { TX == outcome ->
       TX = 0; on_record = (db.row[ACT] == answerable && db.key_of[ACT] == k + 1); /* WrittenBefore.find */
       if
       :: db.row[ACT] == received || NO_STATUS && !on_record ->
          HOLDS(5, db.row[ACT] == received);
          HOLDS(6, KEY != recording || !KEPT_LOCK(p) || db.ledger[k] == NAME(p));
          db.corrected = db.corrected + (!NO_CORRECTION && !OF(p, db.ledger[k]));
          db.row[ACT] = answerable; db.key_of[ACT] = k + 1; on_record = true
       :: else fi;
       end_claim(k, p, db.used);
       if
       :: KEY == recording ->
          HOLDS(6, on_record || !KEPT_LOCK(p));
          answered[ACT] = (on_record -> k + 1 : 0); KEY = 0; on[p].request[ACT] = 0
       :: else fi;
       ACT = (KEY == spent -> ACT : 0); on_record = 0; balance() } /* OutcomeStatement.execute */ /* JdbcWrappedKeyStore.settleWithRequests */ /* JdbcWrappedKeyStore.settle */ /* JdbcWrappedKeyStore.giving */
  :: d_step { TX == claim && KEY == claiming || TX == outcome && KEY == recording -> not_answered() } /* GroupCommit.hold */
  :: d_step { TX != 0 -> TX = 0; not_answered() } /* rolled back */
  :: d_step { KEY == spent -> KEY = 0; on[p].request[ACT] = 0; on[p].unrecorded[ACT] = k + 2; ACT = (TX -> ACT : 0) } /* GroupCommit.leaveOpen */
  od
}

proctype Request(byte p; byte r) {
end:
  do
  :: d_step { (REQUESTS == 1 || r == p) && on[p].life == running && !on[p].suspended && REQUEST == 0 && UNRECORDED == 0 &&
       !on[p].inserting[r] && db.row[r] == 0 -> on[p].inserting[r] = true; REQUEST = intent } /* RecordWriter.received */
  :: d_step { on[p].inserting[r] ->
       on[p].inserting[r] = false; REQUEST = (REQUEST != intent -> REQUEST : (db.row[r] == 0 -> queued : 0));
       db.owner[r] = (db.row[r] == 0 -> NAME(p) : db.owner[r]); db.row[r] = (db.row[r] == 0 -> received : db.row[r]) } /* IntentStatement.execute */
  :: d_step { on[p].inserting[r] && REQUEST != intent -> on[p].inserting[r] = false } /* rolled back */
  :: d_step { REQUEST == intent || REQUEST == queued -> REQUEST = 0; UNRECORDED = 1 } /* GroupCommit.leaveOpen */
  :: atomic { UNRECORDED != 0 && (UNRECORDED == 1 -> NO_AWAIT || !on[p].inserting[r] : on[p].tx[UNRECORDED - 2] != outcome) ->
       if :: db.row[r] == received && db.owner[r] == NAME(p) -> db.row[r] = failed; db.key_of[r] = UNRECORDED - 1 :: else fi;
       if :: UNRECORDED > 1 -> end_claim(UNRECORDED - 2, p, db.used) :: else fi;
       balance(); if :: UNRECORDED = 0 :: skip fi } /* UnrecordedStatement.execute */
  od
}

inline end_process() {
  for (j : 0 .. KEYS - 1) { on[p].key[j] = 0; on[p].unanswered[j] = 0; on[p].act[j] = (on[p].tx[j] == outcome -> on[p].act[j] : 0) }
  for (j : 0 .. LAST) { on[p].request[j] = 0; on[p].unrecorded[j] = 0; left_behind = left_behind || on[p].inserting[j] }
  j = 0; on[p].life = 0; on[p].suspended = false; on[p].cut = false;
  lock[NAME(p)] = (lock[NAME(p)] == p + 1 -> 0 : lock[NAME(p)])
}

proctype Instance(byte p) {
  do
  :: d_step { on[p].life == 0 && FREE(NAME(p)) && (starts < STARTS || on[1 - p].life == 0 && !SETTLED) ->
       starts = (starts < STARTS -> starts + 1 : starts); lock[NAME(p)] = p + 1; on[p].life = named } /* InstanceLock.acquire */
  :: d_step { on[p].life == named && (HAS_LOCK(p) || NO_LOCK_AT_START) ->
       close_in_flight(NAME(p)); forfeit(p); on[p].life = (MARKS -> settled : running) } /* Leftovers.closeBeforeStart */ /* Estate.forfeit */ /* Recovery.closeInFlight */
  :: d_step { on[p].life == named && !HAS_LOCK(p) -> end_process() } /* InstanceLock.whileHeld */
  :: d_step { on[p].life == settled && !LOCKED(0) && !LOCKED(KEYS - 1) ->
       discard_doubted(p); next_run(NAME(p)); on[p].life = begun } /* TokenMark.compare */ /* PoolMarks.discard */ /* PoolMarks.begin */
  :: d_step { on[p].life == begun ->
       marked_run[NAME(p)] = db.run_of[NAME(p)]; unended[NAME(p)] = true;
       mark[NAME(p)] = (mark[1] > mark[2] -> mark[1] : mark[2]); mark[NAME(p)] = (db.reach > mark[NAME(p)] -> db.reach : mark[NAME(p)]); on[p].life = running } /* TokenMark.begin */
  :: d_step { on[p].life == running -> on[p].life = stopping } /* Signing.close */
  :: d_step { on[p].life == stopping && IDLE && HAS_LOCK(p) ->
       HOLDS(8, crashes + cuts + left_behind != 0 || !FORGOTTEN(0)); close_in_flight(NAME(p)); forfeit(p);
       if :: MARKS -> on[p].life = stopped :: else -> end_process() fi } /* Leftovers.closeAfterStop */
  :: d_step { on[p].life == stopped -> next_run(NAME(p)); on[p].life = ending } /* PoolMarks.begin */
  :: d_step { on[p].life == ending -> marked_run[NAME(p)] = db.run_of[NAME(p)]; unended[NAME(p)] = false; end_process() } /* TokenMark.end */
  :: d_step { on[p].life == stopping && IDLE && !HAS_LOCK(p) -> end_process() } /* Leftovers.closeAfterStop */
  :: d_step { on[p].life != 0 && crashes < CRASHES -> crashes++; end_process() } /* a crash */
  :: d_step { on[p].life != 0 && lock[NAME(p)] == p + 1 && cuts < CUTS -> cuts++; lock[NAME(p)] = 0; on[p].cut = true } /* a cut connection */
  :: d_step { UP && lock[NAME(p)] != p + 1 && (!on[p].suspended || FREE(NAME(p))) ->
       on[p].suspended = true; lock[NAME(p)] = (FREE(NAME(p)) -> p + 1 : lock[NAME(p)]) } /* InstanceLock.ensureHeld */
  :: d_step { UP && on[p].suspended && lock[NAME(p)] == p + 1 ->
       for (j : 0 .. KEYS - 1) { on[p].key[j] = (on[p].key[j] == loaded && !OF(p, db.ledger[j]) -> 0 : on[p].key[j]) } j = 0; on[p].suspended = false } /* KeyPools.destroyDisowned */
  :: d_step { !SAME_NAME && on[p].life == running && !on[p].suspended && FREE(NAME(1 - p)) ->
       close_in_flight(NAME(1 - p)); forfeit(1 - p) } /* Adoption.settle */ /* Estate.forfeit */
  :: SETTLED && on[p].life == 0 && on[1 - p].life == 0 && starts == STARTS -> break
  od
}

#if RESTORE
Store dump;
inline copy(to, from) {
  for (j : 0 .. KEYS - 1) { to.stored[j] = from.stored[j]; to.number[j] = from.number[j]; to.ledger[j] = from.ledger[j]; to.claim_no[j] = from.claim_no[j] }
  for (j : 0 .. LAST) { to.row[j] = from.row[j]; to.owner[j] = from.owner[j]; to.key_of[j] = from.key_of[j] }
  j = 0; to.generated = from.generated; to.used = from.used; to.forfeited = from.forfeited;
  to.discarded = from.discarded; to.corrected = from.corrected; to.last_number = from.last_number; to.reach = from.reach;
  for (j : 1 .. 2) { to.run_of[j] = from.run_of[j]; to.run_before[j] = from.run_before[j] } j = 0
}
#define AT_WORK(p) (on[p].life || on[p].tx[0] || on[p].tx[KEYS - 1] || on[p].inserting[0] || on[p].inserting[LAST])
#endif

init {
  atomic {
    for (j : 0 .. KEYS - 1) { run Key(0, j); if :: !ALONE -> run Key(1, j) :: else fi }
    for (j : 0 .. LAST) { run Request(0, j); if :: !ALONE -> run Request(1, j) :: else fi }
    j = 0; run Instance(0); if :: !ALONE -> run Instance(1) :: else fi
  }
#if RESTORE
end_before: d_step { db.generated -> copy(dump, db) };
end_after: d_step { !AT_WORK(0) && !AT_WORK(1) -> copy(db, dump); for (j : 0 .. LAST) { answered[j] = 0 } j = 0 }
#endif
}
