package org.keywell.jms;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.keywell.protection.Content;
import org.keywell.protection.Header;
import org.keywell.protection.Sealer;

/**
 * How an answer is protected.
 *
 * @param inReplyTo the request's id, as its sender protected it
 */
record Envelope(Sealer sealer, String inReplyTo) {

  byte[] seal(Answer answer, String queue, Instant now) {
    Header header = new Header(UUID.randomUUID() + "@keywell", now, queue, null, inReplyTo);
    return sealer.seal(new Content(header, answer.json().getBytes(StandardCharsets.UTF_8)));
  }
}
