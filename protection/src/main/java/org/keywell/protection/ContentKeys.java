package org.keywell.protection;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.KeyTransRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientIdentifier;
import org.jspecify.annotations.Nullable;

/** Content keys for one recipient, each for a number of messages. Thread-safe. */
final class ContentKeys {

  /** A key for one message, and its {@code RecipientInfos}. */
  record Use(SecretKey key, ASN1Set recipients, byte[] nonce) {}

  private final X509Certificate recipient;
  private final RecipientIdentifier name;
  private final long usesPerKey;
  private final SecureRandom random = new SecureRandom();
  private @Nullable SecretKey key;
  private ASN1Set recipients = new DERSet();
  private long uses;

  ContentKeys(X509Certificate recipient, long usesPerKey) {
    if (!Certificates.enciphers(recipient)) {
      throw new IllegalArgumentException("the recipient's certificate is not one to encrypt for");
    }
    this.recipient = recipient;
    this.name = new RecipientIdentifier(Certificates.name(recipient));
    this.usesPerKey = usesPerKey;
  }

  // INVARIANT: a pair of key and nonce is handed out once; the nonce counts the uses of its key.
  synchronized Use next() {
    SecretKey current = key;
    if (current == null || uses == usesPerKey) {
      byte[] fresh = new byte[Oaep.CONTENT_KEY_BYTES];
      random.nextBytes(fresh);
      recipients = recipients(fresh);
      current = new SecretKeySpec(fresh, "AES");
      key = current;
      uses = 0;
    }
    return new Use(current, recipients, ByteBuffer.allocate(12).putInt(0).putLong(uses++).array());
  }

  private ASN1Set recipients(byte[] contentKey) {
    try {
      byte[] encrypted = Oaep.encrypt(recipient.getPublicKey(), contentKey);
      return new DERSet(
          new KeyTransRecipientInfo(name, Oaep.IDENTIFIER, new DEROctetString(encrypted)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot encrypt a content key", e);
    }
  }
}
