package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;

/** The makes of PKCS#11 modules, and everything in which they differ. */
enum Brand {
  /** SoftHSM 2 numbers AES-KWP as PKCS#11 2.40 did and answers damage with a general error. */
  SOFTHSM("SoftHSM", 0x210A, ReturnValue.CKR_GENERAL_ERROR, true),
  /** NSS softokn: its own 0x210A is another mechanism; a new database has no SO PIN. */
  NSS("Mozilla Foundation", Brand.CKM_AES_KEY_WRAP_KWP, ReturnValue.CKR_WRAPPED_KEY_INVALID, false),
  /** Kryoptic answers damage with a device error. */
  KRYOPTIC("Kryoptic", Brand.CKM_AES_KEY_WRAP_KWP, ReturnValue.CKR_DEVICE_ERROR, true),
  /** Any other module: held to be as PKCS#11 3.0 says. */
  STANDARD("", Brand.CKM_AES_KEY_WRAP_KWP, ReturnValue.CKR_WRAPPED_KEY_INVALID, true);

  private static final long CKM_AES_KEY_WRAP_KWP = 0x210B;

  private final String manufacturer;
  private final long keyWrapMechanism;
  private final ReturnValue answerToDamage;
  private final boolean soPinExists;

  Brand(
      String manufacturer, long keyWrapMechanism, ReturnValue answerToDamage, boolean soPinExists) {
    this.manufacturer = manufacturer;
    this.keyWrapMechanism = keyWrapMechanism;
    this.answerToDamage = answerToDamage;
    this.soPinExists = soPinExists;
  }

  /**
   * The brand of a module.
   *
   * @param manufacturer what its {@code CK_INFO} says
   */
  static Brand of(String manufacturer) {
    for (Brand brand : values()) {
      if (brand != STANDARD && manufacturer.startsWith(brand.manufacturer)) {
        return brand;
      }
    }
    return STANDARD;
  }

  /** The number of AES key wrap with padding of RFC 5649; its parameter is NULL everywhere. */
  long keyWrapMechanism() {
    return keyWrapMechanism;
  }

  /** Whether the SO of a token without user PIN logs in by a PIN, rather than by an empty one. */
  boolean soPinExists() {
    return soPinExists;
  }

  /** Whether the module itself refuses to wrap a key that is not {@code CKA_EXTRACTABLE}. */
  boolean enforcesExtractable() {
    return this != NSS;
  }

  /**
   * Whether a wrapping key is to have {@code CKA_UNWRAP_TEMPLATE}. NSS keeps the pointers in the
   * attribute as if they were its value, and never looks at it.
   */
  boolean keepsUnwrapTemplate() {
    return this != NSS;
  }

  /** Adds to an unwrap template what this brand wants beyond the standard. */
  void completeUnwrapTemplate(KeySpec spec, Template.Builder template) {
    if (this == NSS && spec.algorithm() == KeySpec.Algorithm.EC) {
      // NSS takes an EC private key only with its public value. Signing does not use it, so any
      // value will do; the true one would make a template per key.
      template.with(Cka.CKA_NSS_DB, new byte[] {0});
    }
  }

  /** What a {@code C_UnwrapKey} that did not return {@code CKR_OK} means. */
  HsmException unwrapException(long returned) {
    return answerToDamage.is(returned)
        ? ReturnValue.exception(Reason.WRAPPED_KEY_INVALID, "C_UnwrapKey", returned)
        : ReturnValue.exception("C_UnwrapKey", returned);
  }
}
