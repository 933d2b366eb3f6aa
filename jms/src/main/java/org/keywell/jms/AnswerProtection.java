package org.keywell.jms;

import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.keywell.protection.Header;
import org.keywell.settings.JmsProtection.Quality;
import org.keywell.signing.caller.Caller;

/** How answers to protected requests of a queue are protected. Thread-safe. */
final class AnswerProtection {

  private final Quality quality;
  private final Sealers sealers;
  private final Recipients recipients;
  private final InstantSource clock;

  AnswerProtection(Quality quality, Sealers sealers, Recipients recipients, InstantSource clock) {
    this.quality = quality;
    this.sealers = sealers;
    this.recipients = recipients;
    this.clock = clock;
  }

  /**
   * Returns how a request is answered; empty if its answer is to be encrypted, and for nobody.
   *
   * @param header the request's
   * @param replyTo from the header; checked
   * @param signer of the request; empty if it has no signature
   */
  Optional<Reply> to(
      Header header, String replyTo, Caller caller, List<X509Certificate> signer, int priority) {
    if (quality == Quality.NONE) {
      return Optional.of(new Reply(replyTo, header.id(), priority, null));
    }
    Optional<X509Certificate> recipient =
        quality.isEncrypted() ? recipients.of(caller, signer, clock.instant()) : Optional.empty();
    if (quality.isEncrypted() && recipient.isEmpty()) {
      return Optional.empty();
    }
    Envelope envelope = new Envelope(sealers.to(recipient), header.id());
    return Optional.of(new Reply(replyTo, header.id(), priority, envelope));
  }
}
