package org.keywell.keypool.hsm.pkcs11;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The PKCS#11 functions in use and their places in {@code CK_FUNCTION_LIST} (pkcs11f.h). */
public enum CkFunction {
  C_INITIALIZE(0, "C_Initialize"),
  C_FINALIZE(1, "C_Finalize"),
  C_GET_INFO(2, "C_GetInfo"),
  C_GET_SLOT_LIST(4, "C_GetSlotList"),
  C_GET_TOKEN_INFO(6, "C_GetTokenInfo"),
  C_GET_MECHANISM_INFO(8, "C_GetMechanismInfo"),
  C_INIT_TOKEN(9, "C_InitToken"),
  C_INIT_PIN(10, "C_InitPIN"),
  C_OPEN_SESSION(12, "C_OpenSession"),
  C_CLOSE_SESSION(13, "C_CloseSession"),
  C_GET_SESSION_INFO(15, "C_GetSessionInfo"),
  C_LOGIN(18, "C_Login"),
  C_CREATE_OBJECT(20, "C_CreateObject"),
  C_COPY_OBJECT(21, "C_CopyObject"),
  C_DESTROY_OBJECT(22, "C_DestroyObject"),
  C_GET_ATTRIBUTE_VALUE(24, "C_GetAttributeValue"),
  C_FIND_OBJECTS_INIT(26, "C_FindObjectsInit"),
  C_FIND_OBJECTS(27, "C_FindObjects"),
  C_FIND_OBJECTS_FINAL(28, "C_FindObjectsFinal"),
  C_ENCRYPT_INIT(29, "C_EncryptInit"),
  C_ENCRYPT(30, "C_Encrypt"),
  C_DECRYPT_INIT(33, "C_DecryptInit"),
  C_DECRYPT(34, "C_Decrypt"),
  C_SIGN_INIT(42, "C_SignInit"),
  C_SIGN(43, "C_Sign"),
  C_GENERATE_KEY(58, "C_GenerateKey"),
  C_GENERATE_KEY_PAIR(59, "C_GenerateKeyPair"),
  C_WRAP_KEY(60, "C_WrapKey"),
  C_UNWRAP_KEY(61, "C_UnwrapKey"),
  C_GENERATE_RANDOM(64, "C_GenerateRandom");

  /** {@code CK_VERSION}, two bytes padded to a pointer's alignment, and 68 pointers. */
  static final long LIST_BYTES = 8 + 68 * 8;

  private static final @Nullable CkFunction[] BY_INDEX = new CkFunction[68];

  static {
    for (CkFunction function : values()) {
      BY_INDEX[function.index] = function;
    }
  }

  private final int index;
  private final String label;

  CkFunction(int index, String label) {
    this.index = index;
    this.label = label;
  }

  /** Returns the function's name in PKCS#11, such as {@code C_SignInit}. */
  public String label() {
    return label;
  }

  /** Returns its place in the list, from 0 to 67. */
  int index() {
    return index;
  }

  /** Returns the function with that {@link #index}, which must be in use. */
  static CkFunction at(int index) {
    return Objects.requireNonNull(BY_INDEX[index]);
  }

  /** Returns the pointer's offset in the list, in bytes. */
  long offset() {
    return 8 + 8L * index;
  }
}
