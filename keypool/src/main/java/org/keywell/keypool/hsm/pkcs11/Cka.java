package org.keywell.keypool.hsm.pkcs11;

/** The attributes in use (PKCS#11 section "Objects"), with their numbers. */
enum Cka {
  CKA_CLASS(0x0),
  CKA_TOKEN(0x1),
  CKA_PRIVATE(0x2),
  CKA_LABEL(0x3),
  CKA_APPLICATION(0x10),
  CKA_VALUE(0x11),
  CKA_CERTIFICATE_TYPE(0x80),
  CKA_ISSUER(0x81),
  CKA_SERIAL_NUMBER(0x82),
  CKA_KEY_TYPE(0x100),
  CKA_SUBJECT(0x101),
  CKA_ID(0x102),
  CKA_SENSITIVE(0x103),
  CKA_ENCRYPT(0x104),
  CKA_DECRYPT(0x105),
  CKA_WRAP(0x106),
  CKA_UNWRAP(0x107),
  CKA_SIGN(0x108),
  CKA_SIGN_RECOVER(0x109),
  CKA_VERIFY(0x10A),
  CKA_DERIVE(0x10C),
  CKA_MODULUS(0x120),
  CKA_MODULUS_BITS(0x121),
  CKA_PUBLIC_EXPONENT(0x122),
  CKA_VALUE_LEN(0x161),
  CKA_EXTRACTABLE(0x162),
  CKA_MODIFIABLE(0x170),
  CKA_EC_PARAMS(0x180),
  CKA_EC_POINT(0x181),
  /** {@code CKP_ML_DSA_44} and the like. */
  CKA_PARAMETER_SET(0x61D),
  /** The array of attributes that every key unwrapped by this key must have. */
  CKA_UNWRAP_TEMPLATE(0x40000212L),
  /** A vendor attribute of NSS softokn: the public value of a private key. */
  CKA_NSS_DB(0xD5A0DB00L);

  private final long type;

  Cka(long type) {
    this.type = type;
  }

  /** Returns the {@code CK_ATTRIBUTE_TYPE}. */
  long type() {
    return type;
  }
}
