package org.keywell.keypool.hsm.pkcs11;

/** Constants of PKCS#11 that belong to no larger group: users, flags, object classes, key types. */
final class Ck {
  static final long CKU_SO = 0;
  static final long CKU_USER = 1;

  static final long CKF_OS_LOCKING_OK = 0x2;
  static final long CKF_RW_SESSION = 0x2;
  static final long CKF_SERIAL_SESSION = 0x4;
  static final long CKF_USER_PIN_INITIALIZED = 0x8;
  static final long CKF_TOKEN_INITIALIZED = 0x400;
  static final long CKF_USER_PIN_COUNT_LOW = 0x10000;
  static final long CKF_USER_PIN_FINAL_TRY = 0x20000;
  static final long CKF_USER_PIN_LOCKED = 0x40000;
  static final long CKF_SO_PIN_COUNT_LOW = 0x100000;
  static final long CKF_SO_PIN_FINAL_TRY = 0x200000;
  static final long CKF_SO_PIN_LOCKED = 0x400000;

  static final long CKO_DATA = 0;
  static final long CKO_CERTIFICATE = 1;
  static final long CKO_PUBLIC_KEY = 2;
  static final long CKO_PRIVATE_KEY = 3;
  static final long CKO_SECRET_KEY = 4;

  static final long CKS_RO_USER_FUNCTIONS = 1;
  static final long CKS_RW_USER_FUNCTIONS = 3;

  static final long CKC_X_509 = 0;

  static final long CKK_RSA = 0;
  static final long CKK_EC = 3;
  static final long CKK_GENERIC_SECRET = 0x10;
  static final long CKK_AES = 0x1F;
  static final long CKK_EC_EDWARDS = 0x40;
  static final long CKK_ML_DSA = 0x4A;

  static final long CK_INVALID_HANDLE = 0;
  static final long CK_UNAVAILABLE_INFORMATION = -1L;

  private Ck() {}
}
