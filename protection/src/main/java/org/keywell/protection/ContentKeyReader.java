package org.keywell.protection;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.ASN1Encodable;
import org.jspecify.annotations.Nullable;

/** Decrypts content keys, and remembers those that served. Thread-safe. */
final class ContentKeyReader {

  private final PrivateKey key;
  private final SecureRandom random = new SecureRandom();
  private final Map<ByteBuffer, SecretKey> known;
  private final int limit;

  /**
   * For a recipient's key.
   *
   * @param limit of keys remembered, those used least recently are forgotten; 0 for none
   */
  ContentKeyReader(PrivateKey key, int limit) {
    this.key = key;
    this.limit = limit;
    this.known =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<ByteBuffer, SecretKey> eldest) {
            return size() > limit;
          }
        };
  }

  /**
   * Returns the content key of a {@code KeyTransRecipientInfo}. What does not decrypt becomes a
   * random key, so that the sender learns neither from the answer nor from its time which step
   * failed.
   */
  SecretKey read(ASN1Encodable recipient) throws ProtectionException {
    SecretKey remembered = remembered(recipient);
    if (remembered != null) {
      return remembered;
    }
    Fields info = Fields.of(recipient);
    info.any();
    info.any();
    Digest digest = Oaep.digest(info.any());
    byte[] encrypted = info.octets();
    info.end();
    byte[] content = new byte[Oaep.CONTENT_KEY_BYTES];
    random.nextBytes(content);
    try {
      byte[] decrypted = Oaep.decrypt(key, digest, encrypted);
      if (decrypted.length == content.length) {
        content = decrypted;
      }
    } catch (GeneralSecurityException e) {
      // The random key fails later.
    }
    return new SecretKeySpec(content, "AES");
  }

  /** Remembers a key with which a message was authentic. */
  void proven(ASN1Encodable recipient, SecretKey content) {
    if (limit > 0) {
      synchronized (known) {
        known.put(ByteBuffer.wrap(Der.write(recipient)), content);
      }
    }
  }

  private @Nullable SecretKey remembered(ASN1Encodable recipient) {
    synchronized (known) {
      return limit > 0 ? known.get(ByteBuffer.wrap(Der.write(recipient))) : null;
    }
  }
}
