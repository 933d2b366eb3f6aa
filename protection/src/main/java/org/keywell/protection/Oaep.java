package org.keywell.protection;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAESOAEPparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.keywell.protection.ProtectionException.Fault;

/** RSAES-OAEP (RFC 8017), MGF1 by the same hash function, without a label. */
final class Oaep {

  static final int CONTENT_KEY_BYTES = 32;

  /** What is written; it has no NULL, as OpenSSL writes it. */
  static final AlgorithmIdentifier IDENTIFIER = identifier(Digest.SHA_256, false);

  private Oaep() {}

  static byte[] encrypt(PublicKey key, byte[] plain) throws GeneralSecurityException {
    return run(Cipher.ENCRYPT_MODE, key, Digest.SHA_256, plain);
  }

  static byte[] decrypt(PrivateKey key, Digest digest, byte[] encrypted)
      throws GeneralSecurityException {
    return run(Cipher.DECRYPT_MODE, key, digest, encrypted);
  }

  /** The JDK's names for OAEP would take SHA-1 for MGF1. */
  private static byte[] run(int mode, Key key, Digest digest, byte[] input)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
    cipher.init(
        mode,
        key,
        new OAEPParameterSpec(digest.label(), "MGF1", digest.mgf1(), PSource.PSpecified.DEFAULT));
    return cipher.doFinal(input);
  }

  static Digest digest(ASN1Encodable identifier) throws ProtectionException {
    byte[] der = Der.write(identifier);
    for (Digest digest : Digest.values()) {
      if (Arrays.equals(Der.write(identifier(digest, false)), der)
          || Arrays.equals(Der.write(identifier(digest, true)), der)) {
        return digest;
      }
    }
    throw new ProtectionException(Fault.ALGORITHM_NOT_ALLOWED);
  }

  private static AlgorithmIdentifier identifier(Digest digest, boolean withNull) {
    AlgorithmIdentifier hash = digest.identifier(withNull);
    return new AlgorithmIdentifier(
        PKCSObjectIdentifiers.id_RSAES_OAEP,
        new RSAESOAEPparams(
            hash,
            new AlgorithmIdentifier(PKCSObjectIdentifiers.id_mgf1, hash),
            RSAESOAEPparams.DEFAULT_P_SOURCE_ALGORITHM));
  }
}
