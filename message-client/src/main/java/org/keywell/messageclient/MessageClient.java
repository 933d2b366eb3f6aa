package org.keywell.messageclient;

import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.messageclient.AnswerException.Reason;
import org.keywell.protection.Content;
import org.keywell.protection.Header;
import org.keywell.protection.Opened;
import org.keywell.protection.Opener;
import org.keywell.protection.ProtectionException;
import org.keywell.protection.Quality;
import org.keywell.protection.Sealer;

/** Makes protected requests, and reads the answers. Thread-safe. */
public final class MessageClient {

  private final Sealer sealer;
  private final Opener opener;
  private final @Nullable TrustedSigner service;
  private final String requests;
  private final String replies;
  private final InstantSource clock;

  /**
   * For a service and a reply queue.
   *
   * @param sealer protects requests as the service requires it
   * @param opener requires how the service protects answers
   * @param service signs the answers; null only if they have the quality confidentiality, where
   *     anyone could have written them: then verify the signature in an answer by other means
   * @param requests the service's queue
   * @param replies the queue for answers; only those that name it are read
   * @throws IllegalArgumentException if a signer is missing, or given where nobody signs
   */
  public MessageClient(
      Sealer sealer,
      Opener opener,
      @Nullable TrustedSigner service,
      String requests,
      String replies,
      InstantSource clock) {
    if ((service == null) != (opener.quality() == Quality.CONFIDENTIALITY)) {
      throw new IllegalArgumentException("answers are signed by the service, or by nobody");
    }
    this.sealer = sealer;
    this.opener = opener;
    this.service = service;
    this.requests = requests;
    this.replies = replies;
    this.clock = clock;
  }

  /**
   * Protects a request.
   *
   * @param json as for {@code POST /sign}; its {@code requestId} is required over a broker
   */
  public ProtectedRequest request(byte[] json) {
    String id = UUID.randomUUID().toString();
    Header header = new Header(id, clock.instant(), requests, replies, null);
    return new ProtectedRequest(id, sealer.seal(new Content(header, json)));
  }

  /**
   * Reads the answer to a request. The same answer may come again: take the first.
   *
   * @param id of the request
   * @param message the answer's bytes
   * @return the JSON: what {@code POST /sign} answers, or a problem
   * @throws ProtectionException if the answer is not protected as required
   * @throws AnswerException if it is another answer, or another's
   */
  public byte[] answer(String id, byte[] message) throws ProtectionException, AnswerException {
    Opened opened = opener.open(message);
    Header header = opened.content().header();
    if (!header.to().equals(replies)) {
      throw new AnswerException(Reason.OTHER_QUEUE);
    }
    if (!id.equals(header.inReplyTo())) {
      throw new AnswerException(Reason.OTHER_REQUEST);
    }
    if (service != null && !service.trusts(opened.signer(), clock.instant())) {
      throw new AnswerException(Reason.SIGNER_NOT_TRUSTED);
    }
    return opened.content().body();
  }
}
