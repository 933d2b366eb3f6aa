package org.keywell.signing.request;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.store.StoredKey;

/**
 * A request's key and how it ended.
 *
 * @param keyId the pool row it came from; null if it was generated on the fly
 * @param wrappingKeyId the key it was wrapped with; null if it was generated on the fly
 * @param publicKeySha256 null if read from the record of a request that was not signed
 * @param destruction the evidence of its destruction
 * @param recordedElsewhere whether another request's record names this key, so this one must not
 */
public record KeyUse(
    @Nullable Long keyId,
    @Nullable String wrappingKeyId,
    byte @Nullable [] publicKeySha256,
    Destruction destruction,
    boolean recordedElsewhere) {

  /**
   * Creates the use of a key not known to have served another request.
   *
   * @param stored null if it was generated on the fly
   */
  public static KeyUse of(@Nullable StoredKey stored, byte[] publicKey, Destruction destruction) {
    return new KeyUse(
        stored == null ? null : stored.id(),
        stored == null ? null : stored.key().wrappingKeyId(),
        sha256(publicKey),
        destruction,
        false);
  }

  /** Returns its name in logs: the pool row, if it came from one. */
  public String label() {
    return keyId == null ? "on the fly" : Long.toString(keyId);
  }

  public boolean preGenerated() {
    return keyId != null;
  }

  /** Returns the same use, for a key that is on record for another request. */
  public KeyUse asRecordedElsewhere() {
    return new KeyUse(keyId, wrappingKeyId, publicKeySha256, destruction, true);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
