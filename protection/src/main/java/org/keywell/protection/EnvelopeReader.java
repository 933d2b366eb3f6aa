package org.keywell.protection;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.GCMParameters;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.keywell.protection.ProtectionException.Fault;

/** Reads and decrypts {@code AuthEnvelopedData} for one recipient. Thread-safe. */
final class EnvelopeReader {

  private final RecipientName name;
  private final ContentKeyReader keys;

  EnvelopeReader(RecipientName name, PrivateKey key, int knownKeys) {
    this.name = name;
    this.keys = new ContentKeyReader(key, knownKeys);
  }

  /** Reads the value of a {@code ContentInfo} and returns what was encrypted. */
  byte[] read(ASN1Encodable value) throws ProtectionException {
    Fields data = Fields.of(value);
    data.version(0);
    ASN1Set recipients = data.set();
    Fields encrypted = Fields.of(data.any());
    byte[] tag = data.octets();
    data.end();
    if (!encrypted.oid().equals(CMSObjectIdentifiers.data)) {
      throw new ProtectionException(Fault.MALFORMED);
    }
    byte[] nonce = nonce(encrypted.any());
    byte[] ciphertext = encrypted.implicitOctets();
    encrypted.end();
    if (tag.length != Gcm.TAG_BYTES) {
      throw new ProtectionException(Fault.ALGORITHM_NOT_ALLOWED);
    }
    return decrypt(name.find(recipients), nonce, ciphertext, tag);
  }

  private byte[] decrypt(ASN1Encodable recipient, byte[] nonce, byte[] ciphertext, byte[] tag)
      throws ProtectionException {
    byte[] sealed = Arrays.copyOf(ciphertext, ciphertext.length + tag.length);
    System.arraycopy(tag, 0, sealed, ciphertext.length, tag.length);
    SecretKey key = keys.read(recipient);
    try {
      byte[] content = Gcm.run(Cipher.DECRYPT_MODE, key, nonce, sealed);
      keys.proven(recipient, key);
      return content;
    } catch (GeneralSecurityException e) {
      throw new ProtectionException(Fault.DECRYPTION_FAILED);
    }
  }

  /** Exactly AES-256 with a tag and a nonce of full length: what is short can be forged. */
  private static byte[] nonce(ASN1Encodable identifier) throws ProtectionException {
    Fields algorithm = Fields.of(identifier);
    algorithm.oid();
    byte[] nonce = Fields.of(algorithm.any()).octets();
    AlgorithmIdentifier allowed =
        new AlgorithmIdentifier(
            NISTObjectIdentifiers.id_aes256_GCM, new GCMParameters(nonce, Gcm.TAG_BYTES));
    if (nonce.length != Gcm.NONCE_BYTES
        || !Arrays.equals(Der.write(allowed), Der.write(identifier))) {
      throw new ProtectionException(Fault.ALGORITHM_NOT_ALLOWED);
    }
    return nonce;
  }
}
