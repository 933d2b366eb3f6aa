package org.keywell.ca.revocation;

/** What became of a list that was to be signed. */
public sealed interface ListAnswer {

  /**
   * It was signed.
   *
   * @param crl {@code CertificateList}, DER
   */
  record Signed(byte[] crl) implements ListAnswer {}

  /**
   * The key cannot sign now.
   *
   * @param detail for operators
   */
  record NotSigned(String detail) implements ListAnswer {}
}
