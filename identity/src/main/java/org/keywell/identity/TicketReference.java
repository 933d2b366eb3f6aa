package org.keywell.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Identifies a used ticket without storing it. */
public final class TicketReference {

  private TicketReference() {}

  /**
   * Returns SHA-256 over type, provider and reference, separated by line feeds. The first two are
   * known before a ticket is read and contain no line feed, so no two tickets share a value.
   *
   * @param provider the issuer's name, as configured
   * @param reference the ticket's own id at its provider
   */
  public static byte[] sha256(ProofType type, String provider, String reference) {
    try {
      String text = type.label() + "\n" + provider + "\n" + reference;
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
