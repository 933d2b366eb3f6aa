package org.keywell.protection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import org.keywell.protection.ProtectionException.Fault;

/** A message, and what became of it. */
final class Messages {

  static final int MAX = 20_000_000;

  private Messages() {}

  static Header header(String id) {
    return new Header(
        id,
        Instant.parse("2026-11-27T00:30:00.123Z"),
        "keywell.requests",
        "keywell.replies.tax",
        null);
  }

  static Content small() {
    return with("{\"requestId\": 7}".getBytes(UTF_8));
  }

  static Content with(byte[] body) {
    return new Content(header("2f0c@tax.example"), body);
  }

  static void same(Opened opened, Content content) {
    assertThat(opened.content().header()).isEqualTo(content.header());
    assertThat(opened.content().body()).isEqualTo(content.body());
  }

  static void refused(Opener opener, byte[] message, Fault fault) {
    ProtectionException refusal =
        catchThrowableOfType(ProtectionException.class, () -> opener.open(message));
    assertThat(refusal).as("refusal").isNotNull();
    assertThat(refusal.fault()).isEqualTo(fault);
    assertThat(refusal).hasMessage(fault.label());
  }

  /** Whether a changed message opens; if it does, then to the same content. */
  static boolean opensToTheSame(Opener opener, byte[] message, Content content) {
    try {
      same(opener.open(message), content);
      return true;
    } catch (ProtectionException refused) {
      return false;
    }
  }
}
