package org.keywell.keypool.hsm.pkcs11;

/**
 * How AES encrypts or decrypts. The record owns its byte arrays; they must not be modified.
 *
 * @param iv 16 bytes for {@link Mode#CBC}, {@link Mode#CBC_PAD} and {@link Mode#CTR}, 1 to 128 for
 *     {@link Mode#GCM}, none for {@link Mode#ECB}
 * @param aad what {@link Mode#GCM} authenticates and does not encrypt, up to 64 KiB; otherwise
 *     empty
 * @param tagBytes the length of the tag of {@link Mode#GCM}, 12 to 16; otherwise 0
 */
public record CipherCall(Mode mode, byte[] iv, byte[] aad, int tagBytes) {
  static final int BLOCK_BYTES = 16;
  private static final int MAX_GCM_IV_BYTES = 128;
  private static final int MAX_AAD_BYTES = 64 * 1024;
  private static final int MIN_TAG_BYTES = 12;

  /** The modes of operation. */
  public enum Mode {
    /** Whole blocks only. */
    ECB,
    /** Whole blocks only. */
    CBC,
    /** CBC with the padding of PKCS #7. */
    CBC_PAD,
    /** The IV is the first counter block; all of its bits count. */
    CTR,
    /** The tag follows the ciphertext. */
    GCM
  }

  /**
   * @throws IllegalArgumentException if a part does not fit the mode; the message names it
   */
  public CipherCall {
    boolean authenticates = mode == Mode.GCM;
    require(
        switch (mode) {
          case ECB -> iv.length == 0;
          case CBC, CBC_PAD, CTR -> iv.length == BLOCK_BYTES;
          case GCM -> iv.length >= 1 && iv.length <= MAX_GCM_IV_BYTES;
        },
        "an IV of " + iv.length + " bytes does not fit " + mode);
    require(
        aad.length <= (authenticates ? MAX_AAD_BYTES : 0),
        mode + " does not take " + aad.length + " bytes of AAD");
    require(
        authenticates ? tagBytes >= MIN_TAG_BYTES && tagBytes <= BLOCK_BYTES : tagBytes == 0,
        "a tag of " + tagBytes + " bytes does not fit " + mode);
  }

  private static void require(boolean fits, String otherwise) {
    if (!fits) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
