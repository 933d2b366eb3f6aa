package org.keywell.signing.revocation;

import java.net.URI;
import org.keywell.ca.revocation.Revocation;

/** What became of a certificate that was to be revoked. */
public sealed interface RevocationAnswer {

  /**
   * It is revoked, by this call or an earlier one.
   *
   * @param revocation the one that stands
   * @param list where validators find it
   */
  record Revoked(Revocation revocation, URI list) implements RevocationAnswer {}

  /** No certificate of that request or serial number is on record. */
  record Unknown() implements RevocationAnswer {}

  /**
   * It cannot be revoked.
   *
   * @param why for people
   */
  record NotRevocable(String why) implements RevocationAnswer {}
}
