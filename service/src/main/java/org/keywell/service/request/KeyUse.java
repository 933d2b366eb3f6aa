package org.keywell.service.request;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.store.StoredKey;

/**
 * The key that a request was given, and its end.
 *
 * @param keyId the pool row it came from; null if it was generated on the fly
 * @param wrappingKeyId under which it was stored; null if it was generated on the fly
 * @param publicKeySha256 null if read from a record that does not hold it: only that of a signed
 *     request does
 * @param destruction the evidence of its destruction
 * @param recordedElsewhere whether the record of another request names this key, so that this one
 *     must not
 */
public record KeyUse(
    @Nullable Long keyId,
    @Nullable String wrappingKeyId,
    byte @Nullable [] publicKeySha256,
    Destruction destruction,
    boolean recordedElsewhere) {

  /**
   * A key that no other request has had, as far as is known.
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

  /** The key in logs: its pool row, if it came from one. */
  public String label() {
    return keyId == null ? "on the fly" : Long.toString(keyId);
  }

  public boolean preGenerated() {
    return keyId != null;
  }

  /** The same use of a key that turned out to be on record for another request. */
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
