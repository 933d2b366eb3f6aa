package org.keywell.protection;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.cms.AuthEnvelopedData;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.EncryptedContentInfo;
import org.bouncycastle.asn1.cms.GCMParameters;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;

/** Writes {@code AuthEnvelopedData} (RFC 5083) with AES-256-GCM (RFC 5084). */
final class Envelope {

  private Envelope() {}

  static byte[] write(byte[] content, ContentKeys keys) {
    ContentKeys.Use use = keys.next();
    byte[] sealed;
    try {
      sealed = Gcm.run(Cipher.ENCRYPT_MODE, use.key(), use.nonce(), content);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot encrypt a message", e);
    }
    return Der.write(
        new ContentInfo(
            CMSObjectIdentifiers.authEnvelopedData,
            new AuthEnvelopedData(
                null,
                use.recipients(),
                new EncryptedContentInfo(
                    CMSObjectIdentifiers.data,
                    new AlgorithmIdentifier(
                        NISTObjectIdentifiers.id_aes256_GCM,
                        new GCMParameters(use.nonce(), Gcm.TAG_BYTES)),
                    new DEROctetString(Arrays.copyOf(sealed, content.length))),
                null,
                new DEROctetString(Arrays.copyOfRange(sealed, content.length, sealed.length)),
                null)));
  }
}
