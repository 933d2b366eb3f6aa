package org.keywell.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Advice to users on failed connections, by kind of failure. */
final class Advice {

  // The JDK has no types for these, so match their messages, in lower case. Alerts are named as in
  // RFC 8446, section 6.2; JSSE answers a wrong signature with the first, OpenSSL with the second.
  private static final String NO_TLS = "unrecognized ssl message";
  private static final String HANDSHAKE_REFUSED = "received fatal alert: handshake_failure";
  private static final String SIGNATURE_REFUSED = "received fatal alert: decrypt_error";
  private static final String HANDSHAKE_ENDED = "remote host terminated the handshake";
  private static final String NO_HTTP = "status line";

  private Advice() {}

  /** Returns one clause without a full stop; empty if the failure gives no hint. */
  static Optional<String> on(IOException failure, URI service) {
    boolean tls = "https".equals(service.getScheme());
    if (tls && says(failure, NO_TLS)) {
      return Optional.of(
          "it speaks no TLS at this port: the address begins with http://, or the port is another");
    }
    if (tls && (says(failure, HANDSHAKE_REFUSED) || says(failure, SIGNATURE_REFUSED))) {
      return Optional.of(
          "it refused the handshake: does the private key belong to the certificate that it is"
              + " shown?");
    }
    if (tls && says(failure, HANDSHAKE_ENDED)) {
      return Optional.of(
          "it ended the handshake without saying why: does it accept the client's certificate, and"
              + " does the private key belong to it?");
    }
    if (!tls && says(failure, NO_HTTP)) {
      return Optional.of(
          "it speaks no HTTP at this port, perhaps TLS: does the address begin with https://?");
    }
    if (causes(failure).anyMatch(ConnectException.class::isInstance)) {
      return Optional.of(
          "nobody answers there: is the service running, and are scheme, host and port right?");
    }
    return Optional.empty();
  }

  /** Whether a retry would fail the same way, though JSSE reports no handshake failure. */
  static boolean isForGood(IOException failure) {
    return says(failure, NO_TLS);
  }

  private static boolean says(IOException failure, String words) {
    return causes(failure)
        .anyMatch(e -> String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains(words));
  }

  private static Stream<Throwable> causes(IOException failure) {
    return Stream.iterate((Throwable) failure, e -> e != null, Throwable::getCause);
  }
}
