package org.keywell.keypool.hsm.pkcs11;

/** Where in {@code CK_FUNCTION_LIST} (pkcs11f.h) the pointers to the functions in use are. */
enum FunctionIndex {
  C_INITIALIZE(0),
  C_GET_INFO(2),
  C_GET_SLOT_LIST(4),
  C_GET_TOKEN_INFO(6),
  C_INIT_TOKEN(9),
  C_INIT_PIN(10),
  C_OPEN_SESSION(12),
  C_CLOSE_SESSION(13),
  C_LOGIN(18),
  C_DESTROY_OBJECT(22),
  C_GET_ATTRIBUTE_VALUE(24),
  C_FIND_OBJECTS_INIT(26),
  C_FIND_OBJECTS(27),
  C_FIND_OBJECTS_FINAL(28),
  C_SIGN_INIT(42),
  C_SIGN(43),
  C_GENERATE_KEY(58),
  C_GENERATE_KEY_PAIR(59),
  C_WRAP_KEY(60),
  C_UNWRAP_KEY(61);

  /** {@code CK_VERSION}, two bytes padded to a pointer's alignment, and 68 pointers. */
  static final long LIST_BYTES = 8 + 68 * 8;

  private final int index;

  FunctionIndex(int index) {
    this.index = index;
  }

  /** Offset of the pointer, in bytes. */
  long offset() {
    return 8 + 8L * index;
  }
}
