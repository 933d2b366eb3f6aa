package org.keywell.service.record;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The CA's chain that this instance answers with, and its name in the database.
 *
 * @param id SHA-256 over the certificates
 * @param certificates DER: issuing CA first, root last
 */
public record CaChain(byte[] id, List<byte[]> certificates) {

  public static CaChain of(List<byte[]> certificates) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      certificates.forEach(sha256::update);
      return new CaChain(sha256.digest(), List.copyOf(certificates));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
