package org.keywell.keypool.hsm.pkcs11;

import java.util.Set;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/** The makes of PKCS#11 modules, and everything in which they differ. */
enum Brand {
  /** SoftHSM 2 numbers AES-KWP as PKCS#11 2.40 did and answers damage with a general error. */
  SOFTHSM("SoftHSM", 0x210A, Set.of(ReturnValue.CKR_GENERAL_ERROR), true),
  /** NSS softokn: its own 0x210A is another mechanism; a new database has no SO PIN. */
  NSS("Mozilla Foundation", Brand.CKM_AES_KEY_WRAP_KWP, Set.of(), false),
  /** Kryoptic answers damage with a device error. */
  KRYOPTIC("Kryoptic", Brand.CKM_AES_KEY_WRAP_KWP, Set.of(ReturnValue.CKR_DEVICE_ERROR), true),
  /** Any other module: held to be as PKCS#11 3.0 says. */
  STANDARD("", Brand.CKM_AES_KEY_WRAP_KWP, Set.of(), true);

  private static final long CKM_AES_KEY_WRAP_KWP = 0x210B;

  private final String manufacturer;
  private final long keyWrapMechanism;
  private final Set<ReturnValue> answersToInvalidWrappedKey;
  private final boolean hasSoPin;

  Brand(
      String manufacturer,
      long keyWrapMechanism,
      Set<ReturnValue> answersToInvalidWrappedKey,
      boolean hasSoPin) {
    this.manufacturer = manufacturer;
    this.keyWrapMechanism = keyWrapMechanism;
    this.answersToInvalidWrappedKey = answersToInvalidWrappedKey;
    this.hasSoPin = hasSoPin;
  }

  /** The brand of a module by the {@code manufacturerID} of its {@code CK_INFO}. */
  static Brand of(String manufacturerId) {
    for (Brand brand : values()) {
      if (brand != STANDARD && manufacturerId.startsWith(brand.manufacturer)) {
        return brand;
      }
    }
    return STANDARD;
  }

  /** The number of AES key wrap with padding of RFC 5649; its parameter is NULL everywhere. */
  long keyWrapMechanism() {
    return keyWrapMechanism;
  }

  /** Whether the SO logs in to a token without user PIN by a PIN, or else by an empty one. */
  boolean hasSoPin() {
    return hasSoPin;
  }

  /** What a {@code C_UnwrapKey} that did not return {@code CKR_OK} means. */
  HsmException unwrapException(long returned) {
    for (ReturnValue answer : answersToInvalidWrappedKey) {
      if (answer.is(returned)) {
        return ReturnValue.exception(Reason.WRAPPED_KEY_INVALID, "C_UnwrapKey", returned);
      }
    }
    return ReturnValue.exception("C_UnwrapKey", returned);
  }
}
