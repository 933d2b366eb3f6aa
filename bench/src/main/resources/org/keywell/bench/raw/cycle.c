/*
 * The limit of what is measured: how many one-time keys a second a PKCS#11 module uses for a C
 * program that asks it for nothing but the calls of a key's life.
 *
 *   cycle MODULE TOKEN-LABEL WRAPPING-KEY-LABEL rsa|ec sign-destroy|unwrap-sign-destroy THREADS KEYS
 *     [PARAMETERS]
 *
 * Standard input has the user's PIN in a line, then private keys wrapped by AES-KWP, each in hex in
 * a line of its own; they take turns. PARAMETERS are those of C_Initialize, for modules that want
 * some. Keys a second go to standard output. Each thread has a session of its own.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long ck;

enum {
  OS_LOCKING_OK = 2,
  SERIAL_SESSION = 4,
  USER = 1,
  SECRET_KEY = 4,
  PRIVATE_KEY = 3,
  ALREADY_INITIALIZED = 0x191,
  MAX_SLOTS = 1024,
  MAX_THREADS = 1024,
  MAX_BLOBS = 1024,
  MAX_BYTES = 4096,
  WARM_UP = 100
};

struct mechanism { ck type; void *parameter; ck length; };
struct attribute { ck type; const void *value; ck length; };
struct initialize { void *mutexes[4]; ck flags; void *parameters; void *reserved; };

/* CK_FUNCTION_LIST of version 2, with the functions that are called; the others are pointers. */
struct functions {
  unsigned char version[2];
  ck (*initialize)(struct initialize *);
  void *before_get_slot_list[3];
  ck (*get_slot_list)(unsigned char with_token, ck *slots, ck *count);
  void *get_slot_info;
  ck (*get_token_info)(ck slot, void *info);
  void *before_open_session[5];
  ck (*open_session)(ck slot, ck flags, void *application, void *notify, ck *session);
  void *before_login[5];
  ck (*login)(ck session, ck user, const char *pin, ck length);
  void *before_destroy_object[3];
  ck (*destroy_object)(ck session, ck object);
  void *before_find_objects_init[3];
  ck (*find_objects_init)(ck session, const struct attribute *, ck count);
  ck (*find_objects)(ck session, ck *objects, ck maximum, ck *count);
  ck (*find_objects_final)(ck session);
  void *before_sign_init[13];
  ck (*sign_init)(ck session, const struct mechanism *, ck key);
  ck (*sign)(ck session, const unsigned char *data, ck length, unsigned char *out, ck *out_length);
  void *before_unwrap_key[17];
  ck (*unwrap_key)(ck session, const struct mechanism *, ck key, const unsigned char *wrapped,
                   ck length, const struct attribute *, ck count, ck *object);
};
_Static_assert(offsetof(struct functions, unwrap_key) == 62 * sizeof(void *), "place in the list");

struct blob { unsigned char bytes[MAX_BYTES]; ck length; };

static const unsigned char YES = 1, NO = 0;
static const ck CLASS = PRIVATE_KEY;
static ck key_type; /* CKK_RSA is 0, CKK_EC 3 */
/* What an unwrapped key is to be: a session object that signs and never leaves the token. */
static const struct attribute UNWRAPPED[] = {
    {0x001, &NO, 1},  /* CKA_TOKEN */
    {0x002, &YES, 1}, /* CKA_PRIVATE */
    {0x103, &YES, 1}, /* CKA_SENSITIVE */
    {0x108, &YES, 1}, /* CKA_SIGN */
    {0x105, &NO, 1},  /* CKA_DECRYPT */
    {0x109, &NO, 1},  /* CKA_SIGN_RECOVER */
    {0x107, &NO, 1},  /* CKA_UNWRAP */
    {0x10C, &NO, 1},  /* CKA_DERIVE */
    {0x162, &NO, 1},  /* CKA_EXTRACTABLE */
    {0x000, &CLASS, sizeof(ck)},
    {0x100, &key_type, sizeof(ck)},
};
/* The DigestInfo (RFC 8017, section 9.2) of a SHA-256, which main fills in; ECDSA takes that alone. */
static unsigned char digest_info[19 + 32] = {0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
                                             0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20};

static const struct functions *p11;
static struct mechanism key_wrap = {0, NULL, 0}, signing = {0, NULL, 0};
static const unsigned char *data;
static ck data_length;
static struct blob blobs[MAX_BLOBS];
static int blob_count;
static ck slot, wrapping_key;
static int unwraps; /* whether unwrapping counts */
static long keys_each;
static int threads;
static atomic_int ready, finished;
static struct timespec began, ended;

static void check(const char *function, ck returned) {
  if (returned != 0) {
    fprintf(stderr, "%s returned 0x%lx\n", function, returned);
    exit(1);
  }
}

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

static ck open_session(void) {
  ck session;
  check("C_OpenSession", p11->open_session(slot, SERIAL_SESSION, NULL, NULL, &session));
  return session;
}

static ck unwrap(ck session, long turn, ck *key) {
  const struct blob *blob = &blobs[turn % blob_count];
  return p11->unwrap_key(session, &key_wrap, wrapping_key, blob->bytes, blob->length, UNWRAPPED,
                         sizeof UNWRAPPED / sizeof *UNWRAPPED, key);
}

static ck unwrapped(ck session, long turn) {
  ck key;
  check("C_UnwrapKey", unwrap(session, turn, &key));
  return key;
}

static void sign_and_destroy(ck session, ck key) {
  unsigned char signature[MAX_BYTES];
  ck length = sizeof signature;
  check("C_SignInit", p11->sign_init(session, &signing, key));
  check("C_Sign", p11->sign(session, data, data_length, signature, &length));
  check("C_DestroyObject", p11->destroy_object(session, key));
}

static void *use_keys(void *first_turn) {
  long turn = *(long *)first_turn;
  ck session = open_session();
  ck *keys = unwraps ? NULL : malloc(keys_each * sizeof *keys);
  for (long i = 0; i < WARM_UP; i++) {
    sign_and_destroy(session, unwrapped(session, turn + i));
  }
  for (long i = 0; keys && i < keys_each; i++) {
    keys[i] = unwrapped(session, turn + i);
  }
  if (atomic_fetch_add(&ready, 1) == threads - 1) {
    clock_gettime(CLOCK_MONOTONIC, &began);
    atomic_fetch_add(&ready, 1);
  }
  while (atomic_load(&ready) <= threads) {
    sched_yield();
  }
  for (long i = 0; i < keys_each; i++) {
    sign_and_destroy(session, keys ? keys[i] : unwrapped(session, turn + i));
  }
  if (atomic_fetch_add(&finished, 1) == threads - 1) {
    clock_gettime(CLOCK_MONOTONIC, &ended);
  }
  free(keys);
  return NULL;
}

static void load(const char *module, char *parameters) {
  ck (*get_function_list)(const struct functions **);
  struct initialize arguments = {{NULL}, OS_LOCKING_OK, parameters, NULL};
  void *library = dlopen(module, RTLD_NOW);
  void *symbol = library ? dlsym(library, "C_GetFunctionList") : NULL;
  if (!symbol) {
    fail(dlerror());
  }
  memcpy(&get_function_list, &symbol, sizeof symbol);
  check("C_GetFunctionList", get_function_list(&p11));
  ck returned = p11->initialize(&arguments);
  check("C_Initialize", returned == ALREADY_INITIALIZED ? 0 : returned);
}

/* By its label: numbers of slots change. */
static void find_token(const char *label) {
  ck slots[MAX_SLOTS], count = MAX_SLOTS;
  char padded[33], info[1024]; /* CK_TOKEN_INFO, whose first 32 bytes are the label */
  snprintf(padded, sizeof padded, "%-32s", label);
  check("C_GetSlotList", p11->get_slot_list(1, slots, &count));
  for (ck i = 0; i < count; i++) {
    check("C_GetTokenInfo", p11->get_token_info(slots[i], info));
    if (memcmp(info, padded, 32) == 0) {
      slot = slots[i];
      return;
    }
  }
  fail("no such token");
}

static void read_blobs(void) {
  char line[2 * MAX_BYTES + 2];
  while (blob_count < MAX_BLOBS && fgets(line, sizeof line, stdin)) {
    struct blob *blob = &blobs[blob_count++];
    for (char *hex = line; sscanf(hex, "%2hhx", &blob->bytes[blob->length]) == 1; hex += 2) {
      blob->length++;
    }
  }
}

static void log_in(ck session) {
  char pin[258];
  if (!fgets(pin, sizeof pin, stdin)) {
    fail("no PIN on standard input");
  }
  check("C_Login", p11->login(session, USER, pin, strcspn(pin, "\n")));
  memset(pin, 0, sizeof pin);
}

static void find_wrapping_key(ck session, const char *label) {
  ck class = SECRET_KEY, count;
  struct attribute named[] = {{0x000, &class, sizeof class}, {0x003, label, strlen(label)}};
  check("C_FindObjectsInit", p11->find_objects_init(session, named, 2));
  check("C_FindObjects", p11->find_objects(session, &wrapping_key, 1, &count));
  check("C_FindObjectsFinal", p11->find_objects_final(session));
  if (count != 1) {
    fail("no such wrapping key");
  }
}

/* PKCS#11 3.0 numbers AES-KWP 0x210B, SoftHSM 2 as 2.40 did. */
static void choose_key_wrap(ck session) {
  ck key;
  key_wrap.type = 0x210B;
  if (unwrap(session, 0, &key) != 0) {
    key_wrap.type = 0x210A;
    key = unwrapped(session, 0);
  }
  check("C_DestroyObject", p11->destroy_object(session, key));
}

int main(int count, char **arguments) {
  pthread_t thread[MAX_THREADS];
  long first_turn[MAX_THREADS];
  if (count < 8) {
    fail("misused: see the comment in the source");
  }
  int ec = strcmp(arguments[4], "ec") == 0;
  unwraps = strcmp(arguments[5], "unwrap-sign-destroy") == 0;
  threads = atoi(arguments[6]);
  if (threads < 1 || threads > MAX_THREADS) {
    fail("misused: 1 to 1024 threads");
  }
  keys_each = atol(arguments[7]) / threads;
  key_type = ec ? 3 : 0;
  signing.type = ec ? 0x1041 : 0x1; /* CKM_ECDSA, CKM_RSA_PKCS */
  memset(digest_info + 19, 0x5a, 32);
  data = ec ? digest_info + 19 : digest_info;
  data_length = ec ? 32 : sizeof digest_info;

  load(arguments[1], count > 8 ? arguments[8] : NULL);
  find_token(arguments[2]);
  ck session = open_session(); /* stays open: with the last one the login would go */
  log_in(session);
  read_blobs();
  if (blob_count == 0) {
    fail("misused: no wrapped key on standard input");
  }
  find_wrapping_key(session, arguments[3]);
  choose_key_wrap(session);

  for (int i = 0; i < threads; i++) {
    first_turn[i] = i * keys_each;
    if (pthread_create(&thread[i], NULL, use_keys, &first_turn[i]) != 0) {
      fail("pthread_create failed");
    }
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(thread[i], NULL);
  }
  double seconds = (ended.tv_sec - began.tv_sec) + (ended.tv_nsec - began.tv_nsec) / 1e9;
  printf("%.1f\n", keys_each * threads / seconds);
  return 0;
}
