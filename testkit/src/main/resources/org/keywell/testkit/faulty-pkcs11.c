/*
 * A PKCS#11 module for tests. It forwards each call to another module, its target, and fails as it
 * is told to.
 *
 * The target is named in <own path>.conf. Faults are set in <own path>.control, which is mapped into
 * memory here and by the commanding process: what is written there counts from the next call on, in each
 * process that has loaded this file. All zeros mean no fault. Copies of this file, each with a
 * target file of its own, are devices of their own, in one process too.
 *
 * Session handles are this module's own, so that it can forget them. Object handles are the target's,
 * less a base, so that numbers can start again.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Where a CK_ULONG has 64 bits, each argument of PKCS#11 is a machine word. */
typedef uint64_t word;
_Static_assert(sizeof(unsigned long) == sizeof(word) && sizeof(void *) == sizeof(word), "LP64");

typedef void (*function_pointer)(void);

enum {
  CKR_OK = 0x0,
  CKR_GENERAL_ERROR = 0x5,
  CKR_SESSION_COUNT = 0xB1,
  CKR_SESSION_HANDLE_INVALID = 0xB3,
  CKF_SERIAL_SESSION = 0x4,
  CKA_TOKEN = 0x1
};

/*
 * The functions of CK_FUNCTION_LIST 2.40 in their order, with the number of their arguments and what
 * these are: s a session, o an object's handle, n where a new object's handle is put.
 */
#define FUNCTIONS(F)                                                                              \
  F(C_Initialize, 1, ".")                                                                         \
  F(C_Finalize, 1, ".")                                                                           \
  F(C_GetInfo, 1, ".")                                                                            \
  F(C_GetFunctionList, 1, ".")                                                                    \
  F(C_GetSlotList, 3, "...")                                                                      \
  F(C_GetSlotInfo, 2, "..")                                                                       \
  F(C_GetTokenInfo, 2, "..")                                                                      \
  F(C_GetMechanismList, 3, "...")                                                                 \
  F(C_GetMechanismInfo, 3, "...")                                                                 \
  F(C_InitToken, 4, "....")                                                                       \
  F(C_InitPIN, 3, "s..")                                                                          \
  F(C_SetPIN, 5, "s....")                                                                         \
  F(C_OpenSession, 5, ".....")                                                                    \
  F(C_CloseSession, 1, "s")                                                                       \
  F(C_CloseAllSessions, 1, ".")                                                                   \
  F(C_GetSessionInfo, 2, "s.")                                                                    \
  F(C_GetOperationState, 3, "s..")                                                                \
  F(C_SetOperationState, 5, "s..oo")                                                              \
  F(C_Login, 4, "s...")                                                                           \
  F(C_Logout, 1, "s")                                                                             \
  F(C_CreateObject, 4, "s..n")                                                                    \
  F(C_CopyObject, 5, "so..n")                                                                     \
  F(C_DestroyObject, 2, "so")                                                                     \
  F(C_GetObjectSize, 3, "so.")                                                                    \
  F(C_GetAttributeValue, 4, "so..")                                                               \
  F(C_SetAttributeValue, 4, "so..")                                                               \
  F(C_FindObjectsInit, 3, "s..")                                                                  \
  F(C_FindObjects, 4, "s...")                                                                     \
  F(C_FindObjectsFinal, 1, "s")                                                                   \
  F(C_EncryptInit, 3, "s.o")                                                                      \
  F(C_Encrypt, 5, "s....")                                                                        \
  F(C_EncryptUpdate, 5, "s....")                                                                  \
  F(C_EncryptFinal, 3, "s..")                                                                     \
  F(C_DecryptInit, 3, "s.o")                                                                      \
  F(C_Decrypt, 5, "s....")                                                                        \
  F(C_DecryptUpdate, 5, "s....")                                                                  \
  F(C_DecryptFinal, 3, "s..")                                                                     \
  F(C_DigestInit, 2, "s.")                                                                        \
  F(C_Digest, 5, "s....")                                                                         \
  F(C_DigestUpdate, 3, "s..")                                                                     \
  F(C_DigestKey, 2, "so")                                                                         \
  F(C_DigestFinal, 3, "s..")                                                                      \
  F(C_SignInit, 3, "s.o")                                                                         \
  F(C_Sign, 5, "s....")                                                                           \
  F(C_SignUpdate, 3, "s..")                                                                       \
  F(C_SignFinal, 3, "s..")                                                                        \
  F(C_SignRecoverInit, 3, "s.o")                                                                  \
  F(C_SignRecover, 5, "s....")                                                                    \
  F(C_VerifyInit, 3, "s.o")                                                                       \
  F(C_Verify, 5, "s....")                                                                         \
  F(C_VerifyUpdate, 3, "s..")                                                                     \
  F(C_VerifyFinal, 3, "s..")                                                                      \
  F(C_VerifyRecoverInit, 3, "s.o")                                                                \
  F(C_VerifyRecover, 5, "s....")                                                                  \
  F(C_DigestEncryptUpdate, 5, "s....")                                                            \
  F(C_DecryptDigestUpdate, 5, "s....")                                                            \
  F(C_SignEncryptUpdate, 5, "s....")                                                              \
  F(C_DecryptVerifyUpdate, 5, "s....")                                                            \
  F(C_GenerateKey, 5, "s...n")                                                                    \
  F(C_GenerateKeyPair, 8, "s.....nn")                                                             \
  F(C_WrapKey, 6, "s.oo..")                                                                       \
  F(C_UnwrapKey, 8, "s.o....n")                                                                   \
  F(C_DeriveKey, 6, "s.o..n")                                                                     \
  F(C_SeedRandom, 3, "s..")                                                                       \
  F(C_GenerateRandom, 3, "s..")                                                                   \
  F(C_GetFunctionStatus, 1, "s")                                                                  \
  F(C_CancelFunction, 1, "s")                                                                     \
  F(C_WaitForSlotEvent, 3, "...")

#define NUMBER(name, arguments, roles) name##_NUMBER,
enum { FUNCTIONS(NUMBER) FUNCTION_COUNT };

#define ARGUMENTS(name, arguments, roles) arguments,
static const int argument_count[] = {FUNCTIONS(ARGUMENTS)};

#define ROLES(name, arguments, roles) roles,
static const char *const argument_roles[] = {FUNCTIONS(ROLES)};

/* The control file; ControlFile.java knows it too. */
struct rule {
  _Atomic word returns;         /* a CK_RV; CKR_OK: the call goes on */
  _Atomic word delay_millis;    /* how long it takes before that */
  _Atomic word hangs;           /* not 0: until this becomes 0 */
  _Atomic word forgets_session; /* not 0: the session of the call is closed */
  _Atomic word late;            /* not 0: all this after the target has done its work */
  _Atomic word after;           /* so many calls are spared first */
  _Atomic word every;           /* of the others, each so many-th is hit; 0 is as 1 */
  _Atomic word times;           /* so many more are hit; UINT64_MAX: no limit; 0: no rule */
  _Atomic word seen;            /* calls since the rule was set */
  _Atomic word calls;           /* calls ever */
  _Atomic word faults;          /* calls ever that a rule hit */
  _Atomic word corrupts;        /* not 0: what the target gives is spoilt, and returned as good */
  _Atomic word per_thousand;    /* of the calls that would be hit, so many in a thousand are; 0: all */
  _Atomic word keeps_operation; /* not 0: a failed call leaves the session's operation active */
  word reserved[2];
};

enum { FORGET_SESSIONS, FAIL_OVER, FORGET_OBJECTS, LOG_OUT, COMMAND_COUNT };

struct control {
  _Atomic word commands[COMMAND_COUNT]; /* how often each was given */
  _Atomic word gone;                    /* CK_RV of whatever reaches the device; 0: it is there */
  _Atomic word frozen;                  /* not 0: whatever reaches the device waits */
  _Atomic word finalized_in_use;        /* calls of C_Finalize while another call ran */
  word reserved[9];
  struct rule rules[FUNCTION_COUNT];
};

struct function_list {
  unsigned char major, minor;
  function_pointer functions[FUNCTION_COUNT];
};

/* Empty if its handle is 0. A call that began in a session of old must not end in its successor. */
struct session {
  word handle, target_handle, slot, serial;
  unsigned calls;
  bool forgotten, closed;
};

enum { SESSION_COUNT = 4096 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct control *control;
static const struct function_list *target;
static char *softhsm_configuration; /* or NULL */
static _Atomic word calls_in_progress;
static _Atomic word obeyed[COMMAND_COUNT];
static _Atomic word handle_base;

/* Guarded by the mutex. */
static struct session sessions[SESSION_COUNT];
static word last_handle, last_serial;

static void pause_millis(word millis) {
  struct timespec time = {(time_t)(millis / 1000), (long)(millis % 1000) * 1000000};
  if (millis > 0) {
    nanosleep(&time, NULL);
  }
}

/* --- the target's functions --- */

#define P1 word a
#define P2 P1, word b
#define P3 P2, word c
#define P4 P3, word d
#define P5 P4, word e
#define P6 P5, word f
#define P7 P6, word g
#define P8 P7, word h

static word invoke(int number, const word *a) {
  function_pointer f = target->functions[number];
  switch (argument_count[number]) {
    case 1: return ((word(*)(P1))f)(a[0]);
    case 2: return ((word(*)(P2))f)(a[0], a[1]);
    case 3: return ((word(*)(P3))f)(a[0], a[1], a[2]);
    case 4: return ((word(*)(P4))f)(a[0], a[1], a[2], a[3]);
    case 5: return ((word(*)(P5))f)(a[0], a[1], a[2], a[3], a[4]);
    case 6: return ((word(*)(P6))f)(a[0], a[1], a[2], a[3], a[4], a[5]);
    case 8: return ((word(*)(P8))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    default: abort();
  }
}

#define INVOKE(name, ...) invoke(name##_NUMBER, (word[8]){__VA_ARGS__})

static word at(word pointer, word index) { return ((word *)pointer)[index]; }

static void put(word pointer, word index, word value) { ((word *)pointer)[index] = value; }

/* --- sessions --- */

/* With the mutex held. */
static word close_if_unused(struct session *session) {
  if (!session->forgotten || session->calls > 0) {
    return CKR_OK;
  }
  session->handle = 0;
  return session->closed ? CKR_OK : INVOKE(C_CloseSession, session->target_handle);
}

/* With the mutex held. One that a call is using closes when that returns. */
static void forget(struct session *session) {
  if (session->handle != 0) {
    session->forgotten = true;
    close_if_unused(session);
  }
}

/* The serial number of a session; 0 if there is none by that handle. */
static word serial_of(word handle) {
  pthread_mutex_lock(&mutex);
  struct session *session = &sessions[handle % SESSION_COUNT];
  bool found = handle != 0 && session->handle == handle && !session->forgotten;
  word serial = found ? session->serial : 0;
  pthread_mutex_unlock(&mutex);
  return serial;
}

/* A session, which is not closed before it is given back; NULL if it is gone. */
static struct session *borrow(word handle, word serial) {
  struct session *session = &sessions[handle % SESSION_COUNT];
  pthread_mutex_lock(&mutex);
  bool found = serial != 0 && session->serial == serial && !session->forgotten;
  session->calls += found;
  pthread_mutex_unlock(&mutex);
  return found ? session : NULL;
}

static word give_back(struct session *session, bool close) {
  pthread_mutex_lock(&mutex);
  session->calls--;
  session->forgotten |= close;
  word returned = close_if_unused(session);
  pthread_mutex_unlock(&mutex);
  return returned;
}

static word open_session(word *a) {
  word returned = invoke(C_OpenSession_NUMBER, a);
  if (returned != CKR_OK) {
    return returned;
  }
  word target_handle = at(a[4], 0);
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < SESSION_COUNT; i++) {
    struct session *session = &sessions[++last_handle % SESSION_COUNT];
    if (session->handle == 0) {
      *session = (struct session){last_handle, target_handle, a[0], ++last_serial, 0, false, false};
      put(a[4], 0, last_handle);
      pthread_mutex_unlock(&mutex);
      return CKR_OK;
    }
  }
  pthread_mutex_unlock(&mutex);
  INVOKE(C_CloseSession, target_handle);
  return CKR_SESSION_COUNT;
}

/* The target has closed them, those of one slot or of all. */
static void sessions_are_closed(bool all, word slot) {
  pthread_mutex_lock(&mutex);
  for (struct session *session = sessions; session < sessions + SESSION_COUNT; session++) {
    if (all || session->slot == slot) {
      session->closed = true;
      forget(session);
    }
  }
  if (all) {
    last_handle = 0;
    handle_base = 0;
  }
  pthread_mutex_unlock(&mutex);
}

/* --- commands --- */

/* Handles of objects start again after that of the session opened for it. */
static void begin_handles_anew(word slot) {
  word session;
  if (INVOKE(C_OpenSession, slot, CKF_SERIAL_SESSION, 0, 0, (word)&session) == CKR_OK) {
    INVOKE(C_CloseSession, session);
    handle_base = session;
  }
  last_handle = 0;
}

static void destroy_session_objects(word slot) {
  unsigned char no = 0;
  word session, objects[64], count, template[3] = {CKA_TOKEN, (word)&no, sizeof no};
  if (INVOKE(C_OpenSession, slot, CKF_SERIAL_SESSION, 0, 0, (word)&session) != CKR_OK) {
    return;
  }
  INVOKE(C_FindObjectsInit, session, (word)template, 1);
  while (INVOKE(C_FindObjects, session, (word)objects, 64, (word)&count) == CKR_OK && count > 0) {
    for (word i = 0; i < count; i++) {
      INVOKE(C_DestroyObject, session, objects[i]);
    }
  }
  INVOKE(C_FindObjectsFinal, session);
  INVOKE(C_CloseSession, session);
}

/* With the mutex held. */
static void execute(int command) {
  word slots[SESSION_COUNT];
  int slot_count = 0;
  for (struct session *session = sessions; session < sessions + SESSION_COUNT; session++) {
    if (session->handle == 0 || session->forgotten) {
      continue;
    }
    bool known = false;
    for (int i = 0; i < slot_count; i++) {
      known |= slots[i] == session->slot;
    }
    if (!known) {
      slots[slot_count++] = session->slot;
      if (command == LOG_OUT) {
        INVOKE(C_Logout, session->target_handle);
      }
    }
    if (command == FORGET_SESSIONS || command == FAIL_OVER) {
      forget(session);
    }
  }
  for (int i = 0; i < slot_count; i++) {
    if (command == FAIL_OVER) {
      begin_handles_anew(slots[i]);
    } else if (command == FORGET_OBJECTS) {
      destroy_session_objects(slots[i]);
    }
  }
}

/* Executes what was commanded since the last call. */
static void obey(void) {
  for (int command = 0; command < COMMAND_COUNT; command++) {
    if (obeyed[command] != control->commands[command]) {
      pthread_mutex_lock(&mutex);
      if (obeyed[command] != control->commands[command]) {
        obeyed[command] = control->commands[command];
        execute(command);
      }
      pthread_mutex_unlock(&mutex);
    }
  }
}

/* --- faults --- */

/* SplitMix64: the same calls are hit, and spoilt in the same way, each time. */
static word scrambled(word number) {
  word z = number * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static bool hits(struct rule *rule) {
  if (rule->times == 0) {
    return false;
  }
  word seen = atomic_fetch_add(&rule->seen, 1), after = rule->after, every = rule->every;
  if (seen < after || (every > 1 && (seen - after + 1) % every != 0)) {
    return false;
  }
  word per_thousand = rule->per_thousand;
  if (per_thousand != 0 && scrambled(seen + 1) % 1000 >= per_thousand) {
    return false;
  }
  word times = rule->times;
  while (times != 0 && times != UINT64_MAX
      && !atomic_compare_exchange_weak(&rule->times, &times, times - 1)) {
  }
  return times != 0;
}

static word fault(struct rule *rule, word handle, word serial) {
  word returns = rule->returns;
  atomic_fetch_add(&rule->faults, 1);
  pause_millis(rule->delay_millis);
  while (rule->hangs != 0) {
    pause_millis(1);
  }
  if (rule->forgets_session != 0) {
    struct session *session = borrow(handle, serial);
    if (session != NULL) {
      give_back(session, true);
    }
  }
  return returns;
}

/* Every other time in one bit, else all of it. */
static void spoil(unsigned char *octets, word length, word seed) {
  if (octets == NULL || length == 0) {
    return;
  }
  word random = scrambled(seed);
  if (random & 1) {
    octets[(random >> 4) % length] ^= (unsigned char)(1 << (random >> 1 & 7));
    return;
  }
  for (word i = 0; i < length; i++) {
    octets[i] ^= (unsigned char)(scrambled(random + i) | 1);
  }
}

/* Spoils what a call gave. */
static void corrupt(int number, const word *a, word seed) {
  int given; /* the argument that has it; its length is in the next one */
  switch (number) {
    case C_GetAttributeValue_NUMBER: /* types, values, lengths */
      for (word i = 0; i < a[3]; i++) {
        spoil((unsigned char *)at(a[2], 3 * i + 1), at(a[2], 3 * i + 2), seed + i);
      }
      return;
    case C_GenerateRandom_NUMBER: /* always the same */
      memset((void *)a[1], 0x55, a[2]);
      return;
    case C_Encrypt_NUMBER:
    case C_Decrypt_NUMBER:
    case C_Sign_NUMBER: given = 3; break;
    case C_SignFinal_NUMBER: given = 1; break;
    case C_WrapKey_NUMBER: given = 4; break;
    default: return;
  }
  spoil((unsigned char *)a[given], at(a[given + 1], 0), seed);
}

static bool reaches_device(int number) {
  switch (number) {
    case C_Initialize_NUMBER:
    case C_Finalize_NUMBER:
    case C_GetInfo_NUMBER:
    case C_GetFunctionList_NUMBER: return false;
    default: return true;
  }
}

/* --- calls --- */

/* SoftHSM finds its tokens by the environment, which belongs to the whole process. */
static word initialize(const word *a) {
  if (softhsm_configuration == NULL) {
    return invoke(C_Initialize_NUMBER, a);
  }
  /* A file that every copy of this module in the process can lock. */
  int lock = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  flock(lock, LOCK_EX);
  const char *set = getenv("SOFTHSM2_CONF");
  char *before = set == NULL ? NULL : strdup(set);
  setenv("SOFTHSM2_CONF", softhsm_configuration, 1);
  word returned = invoke(C_Initialize_NUMBER, a);
  if (before == NULL) {
    unsetenv("SOFTHSM2_CONF");
  } else {
    setenv("SOFTHSM2_CONF", before, 1);
  }
  free(before);
  close(lock);
  return returned;
}

word C_GetFunctionList(struct function_list **list);

static word without_session(int number, word *a) {
  word returned;
  switch (number) {
    case C_Initialize_NUMBER: return initialize(a);
    case C_GetFunctionList_NUMBER: return C_GetFunctionList((struct function_list **)a[0]);
    case C_OpenSession_NUMBER: return open_session(a);
    case C_Finalize_NUMBER:
      atomic_fetch_add(&control->finalized_in_use, calls_in_progress > 1);
      returned = invoke(number, a);
      if (returned == CKR_OK) {
        sessions_are_closed(true, 0);
      }
      return returned;
    case C_CloseAllSessions_NUMBER:
      returned = invoke(number, a);
      if (returned == CKR_OK) {
        sessions_are_closed(false, a[0]);
      }
      return returned;
    default: return invoke(number, a);
  }
}

static word with_session(int number, word *a, word serial) {
  struct session *session = borrow(a[0], serial);
  if (session == NULL) {
    /* The target knows whether it is initialised at all. */
    word info[4];
    return INVOKE(C_GetSessionInfo, 0, (word)info);
  }
  if (number == C_CloseSession_NUMBER) {
    return give_back(session, true);
  }
  const char *roles = argument_roles[number];
  a[0] = session->target_handle;
  for (int i = 1; i < argument_count[number]; i++) {
    a[i] += roles[i] == 'o' && a[i] != 0 ? handle_base : 0;
  }
  word returned = invoke(number, a);
  for (int i = 1; returned == CKR_OK && i < argument_count[number]; i++) {
    if (roles[i] == 'n') {
      put(a[i], 0, at(a[i], 0) - handle_base);
    }
  }
  if (returned == CKR_OK && number == C_FindObjects_NUMBER) {
    for (word i = 0; i < at(a[3], 0); i++) {
      put(a[1], i, at(a[1], i) - handle_base);
    }
  }
  give_back(session, false);
  return returned;
}

/* Whether the device is gone, and what is returned then. A look at its slots finds no token. */
static bool is_gone(int number, const word *a, word *returned) {
  while (control->frozen != 0 && reaches_device(number)) {
    pause_millis(1);
  }
  obey();
  word gone = control->gone;
  if (gone == 0 || !reaches_device(number)) {
    return false;
  }
  bool only_with_token = (a[0] & 0xff) != 0;
  if (number == C_GetSlotList_NUMBER && only_with_token) {
    put(a[2], 0, 0);
    *returned = CKR_OK;
  } else {
    *returned = gone;
  }
  return number != C_GetSlotList_NUMBER || only_with_token;
}

/*
 * A failed C_Sign ends what C_SignInit began, unless told otherwise. The target has not seen it, so
 * it has to sign; so for ciphers.
 */
static void end_operation(int number, const word *a, word serial) {
  unsigned char nowhere[8192];
  word length = sizeof nowhere;
  bool one_call =
      number == C_Sign_NUMBER || number == C_Encrypt_NUMBER || number == C_Decrypt_NUMBER;
  bool ends = one_call || number == C_SignFinal_NUMBER;
  struct session *session = ends ? borrow(a[0], serial) : NULL;
  if (session == NULL) {
    return;
  }
  if (one_call) {
    invoke(
        number,
        (word[8]){session->target_handle, a[1], a[2], (word)nowhere, (word)&length});
  } else {
    INVOKE(C_SignFinal, session->target_handle, (word)nowhere, (word)&length);
  }
  give_back(session, false);
}

static word call(int number, word *a) {
  struct rule *rule = &control->rules[number];
  atomic_fetch_add(&rule->calls, 1);
  atomic_fetch_add(&calls_in_progress, 1);
  obey();
  bool in_session = argument_roles[number][0] == 's';
  word handle = a[0], serial = in_session ? serial_of(handle) : 0;
  bool hit = hits(rule), late = hit && rule->late != 0;
  word returned = hit && !late ? fault(rule, handle, serial) : CKR_OK;
  if (returned != CKR_OK || is_gone(number, a, &returned)) {
    if (!hit || rule->keeps_operation == 0) {
      end_operation(number, a, serial);
    }
  } else {
    returned = in_session ? with_session(number, a, serial) : without_session(number, a);
  }
  if (late) {
    word instead = fault(rule, handle, serial);
    returned = instead == CKR_OK ? returned : instead;
  }
  if (hit && returned == CKR_OK && rule->corrupts != 0) {
    corrupt(number, a, atomic_load(&rule->faults));
  }
  atomic_fetch_sub(&calls_in_progress, 1);
  return returned;
}

#define A1 a
#define A2 A1, b
#define A3 A2, c
#define A4 A3, d
#define A5 A4, e
#define A6 A5, f
#define A7 A6, g
#define A8 A7, h

#define FORWARDER(name, arguments, roles) \
  static word forward_##name(P##arguments) { return call(name##_NUMBER, (word[8]){A##arguments}); }
FUNCTIONS(FORWARDER)

#define ENTRY(name, arguments, roles) (function_pointer)forward_##name,
static struct function_list list = {2, 40, {FUNCTIONS(ENTRY)}};

/* --- start --- */

static void read_configuration(const char *path, char **module) {
  char line[4096];
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "module=", 7) == 0) {
      *module = strdup(line + 7);
    } else if (strncmp(line, "SOFTHSM2_CONF=", 14) == 0) {
      softhsm_configuration = strdup(line + 14);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
}

static struct control *map_control(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof(struct control)) != 0) {
    return NULL;
  }
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return mapped == MAP_FAILED ? NULL : mapped;
}

static void start(void) {
  Dl_info self;
  char path[4096], *module = NULL;
  dladdr(&list, &self);
  snprintf(path, sizeof path, "%s.conf", self.dli_fname);
  read_configuration(path, &module);
  void *library = module == NULL ? NULL : dlopen(module, RTLD_NOW | RTLD_LOCAL);
  void *entry = library == NULL ? NULL : dlsym(library, "C_GetFunctionList");
  if (entry == NULL) {
    fprintf(stderr, "%s names no PKCS#11 module: %s\n", path, module == NULL ? "" : dlerror());
    return;
  }
  snprintf(path, sizeof path, "%s.control", self.dli_fname);
  control = map_control(path);
  if (control == NULL) {
    perror(path);
    return;
  }
  for (int command = 0; command < COMMAND_COUNT; command++) {
    obeyed[command] = control->commands[command];
  }
  word (*get_function_list)(const struct function_list **);
  memcpy(&get_function_list, &entry, sizeof entry);
  get_function_list(&target);
}

/* All that a module has to export. */
__attribute__((visibility("default"))) word C_GetFunctionList(struct function_list **own) {
  pthread_once(&once, start);
  if (target == NULL) {
    return CKR_GENERAL_ERROR;
  }
  *own = &list;
  return CKR_OK;
}
