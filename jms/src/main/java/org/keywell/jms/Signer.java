package org.keywell.jms;

import org.keywell.signing.caller.Caller;

/** Who signed a message, judged by the certificate as one of a TLS client is. */
public sealed interface Signer {

  /** A caller. */
  record Known(Caller caller) implements Signer {}

  /**
   * The certificate is good, and no caller's.
   *
   * @param detail for operators
   */
  record Stranger(String detail) implements Signer {}

  /** The certificate is not accepted. */
  record Refused(String detail) implements Signer {}

  /** Whether the certificate is revoked cannot be found out now. */
  record Unsure(String detail) implements Signer {}
}
