package org.keywell.kmip.operation;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.spec.MGF1ParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.keywell.kmip.message.KmipException;

/** Encrypts with an RSA public key by OAEP (RFC 8017, section 7.1), without an HSM. */
final class PublicEncryption {

  private PublicEncryption() {}

  static byte[] encrypt(PublicKey key, Parameters parameters, byte[] data) {
    if (!"OAEP".equals(parameters.choice("PaddingMethod"))) {
      throw Parameters.unsupported("RSA encrypts with OAEP");
    }
    String hash = parameters.hash().label();
    String mask = parameters.maskHash().label();
    try {
      Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE,
          key,
          new OAEPParameterSpec(
              hash, "MGF1", new MGF1ParameterSpec(mask), PSource.PSpecified.DEFAULT));
      return cipher.doFinal(data);
    } catch (GeneralSecurityException e) {
      throw new KmipException("CryptographicFailure", "the key does not encrypt this data", e);
    }
  }
}
