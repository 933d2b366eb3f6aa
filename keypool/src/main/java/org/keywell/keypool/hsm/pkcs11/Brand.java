package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;

/** The brands of PKCS#11 modules, and everything in which they differ. */
enum Brand {
  /** SoftHSM 2 numbers AES-KWP as in PKCS#11 2.40 and reports damage as a general error. */
  SOFTHSM("SoftHSM", 0x210A, ReturnValue.CKR_GENERAL_ERROR, true),
  /** NSS softokn: its own 0x210A is another mechanism; a new database has no SO PIN. */
  NSS("Mozilla Foundation", Brand.CKM_AES_KEY_WRAP_KWP, ReturnValue.CKR_WRAPPED_KEY_INVALID, false),
  /** Kryoptic reports damage as a device error. */
  KRYOPTIC("Kryoptic", Brand.CKM_AES_KEY_WRAP_KWP, ReturnValue.CKR_DEVICE_ERROR, true),
  /** Any other module: assumed to follow PKCS#11 3.0. */
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
   * Returns the brand of a module.
   *
   * @param manufacturer as in its {@code CK_INFO}
   */
  static Brand of(String manufacturer) {
    for (Brand brand : values()) {
      if (brand != STANDARD && manufacturer.startsWith(brand.manufacturer)) {
        return brand;
      }
    }
    return STANDARD;
  }

  /** Returns the number of AES key wrap with padding (RFC 5649); its parameter is always NULL. */
  long keyWrapMechanism() {
    return keyWrapMechanism;
  }

  /** Whether the SO of a token without a user PIN logs in with a PIN rather than an empty one. */
  boolean soPinExists() {
    return soPinExists;
  }

  /** Whether the module itself refuses to wrap a key that is not {@code CKA_EXTRACTABLE}. */
  boolean enforcesExtractable() {
    return this != NSS;
  }

  /**
   * Whether a wrapping key gets {@code CKA_UNWRAP_TEMPLATE}. NSS stores the pointers in the
   * attribute as if they were its value and never reads it.
   */
  boolean keepsUnwrapTemplate() {
    return this != NSS;
  }

  /** Whether a secret is as long as before it was wrapped, without the zeros of the padding. */
  boolean removesPadding() {
    return this != SOFTHSM;
  }

  /** Adds to an unwrap template what this brand requires beyond the standard. */
  void completeUnwrapTemplate(KeySpec spec, Template.Builder template) {
    if (this == NSS && spec.algorithm() == KeySpec.Algorithm.EC) {
      // NSS accepts an EC private key only with its public value. Signing does not use it, so any
      // value will do; the true one would require a template per key.
      template.with(Cka.CKA_NSS_DB, new byte[] {0});
    }
  }

  /** Returns the exception for a decryption of a client's data, which was not {@code CKR_OK}. */
  HsmException decryptException(String function, long returned) {
    return answerToDamage.is(returned)
        ? ReturnValue.exception(Reason.DATA_INVALID, function, returned)
        : ReturnValue.dataException(function, returned);
  }

  /** Returns the exception for a {@code C_UnwrapKey} that did not return {@code CKR_OK}. */
  HsmException unwrapException(long returned) {
    return answerToDamage.is(returned)
        ? ReturnValue.exception(Reason.WRAPPED_KEY_INVALID, "C_UnwrapKey", returned)
        : ReturnValue.exception("C_UnwrapKey", returned);
  }
}
