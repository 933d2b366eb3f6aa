package org.keywell.ca;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The chain that a certificate was issued under, with its id. Chains with the same id are equal.
 *
 * @param id SHA-256 over the certificates
 * @param certificates DER: issuing CA first, root last
 */
public record CaChain(byte[] id, List<byte[]> certificates) {

  /**
   * Returns a CA's chain with its id.
   *
   * @param chain issuing CA first, root last
   */
  public static CaChain of(List<X509Certificate> chain) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      List<byte[]> certificates = new ArrayList<>();
      for (X509Certificate certificate : chain) {
        certificates.add(certificate.getEncoded());
        sha256.update(certificate.getEncoded());
      }
      return new CaChain(sha256.digest(), List.copyOf(certificates));
    } catch (CertificateEncodingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(
          "a certificate that was parsed encodes, and Java has SHA-256", e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CaChain chain && Arrays.equals(id, chain.id);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(id);
  }
}
