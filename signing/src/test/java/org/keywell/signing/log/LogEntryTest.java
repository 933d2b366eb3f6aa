package org.keywell.signing.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class LogEntryTest {

  private static String text(LogEntry entry) {
    return new String(entry.bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void membersAreInTheOrderOfTheirNamesWhateverTheOrderOfTheCalls() {
    UUID id = UUID.fromString("4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e");
    LogEntry entry =
        LogEntry.of("request", id)
            .text("status", "signed")
            .number("keyId", 7L)
            .time("finished", Instant.parse("2026-01-02T03:04:05Z"))
            .hex("keySha256", new byte[] {0, (byte) 0xff})
            .base64("digests", List.of(new byte[] {1}, new byte[] {2}));

    assertThat(text(entry))
        .isEqualTo(
            "{\"digests\":[\"AQ==\",\"Ag==\"],\"finished\":\"2026-01-02T03:04:05.000000Z\","
                + "\"keyId\":7,\"keySha256\":\"00ff\",\"request\":\""
                + id
                + "\","
                + "\"status\":\"signed\",\"type\":\"request\",\"v\":1}");
    assertThat(entry.requestId()).isEqualTo(id);
  }

  /** RFC 8785, section 3.2.2.2. */
  @Test
  void escapesWhatMustBeEscapedAndNothingElse() {
    assertThat(text(LogEntry.of("a\"\\\b\t\n\f\r\u000f\u007f/é😀")))
        .contains("\"a\\\"\\\\\\b\\t\\n\\f\\r\\u000f\u007f/é😀\"");
  }

  @Test
  void whatIsNotThereIsLeftOut() {
    assertThat(text(LogEntry.of("start").text("a", null).number("b", null).hex("c", (byte[]) null)))
        .isEqualTo("{\"type\":\"start\",\"v\":1}");
  }

  @Test
  void hasEachMemberOnce() {
    assertThatIllegalStateException().isThrownBy(() -> LogEntry.of("start").text("type", "stop"));
  }
}
