package org.keywell.protection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.protection.ProtectionException.Fault;

/** One form for header and body. */
final class EntityTest {

  private static final String REQUEST =
      "Message-ID: <1@tax>\r\nDate: 2026-11-27T00:30:00Z\r\nTo: q\r\nContent-Type: application/json\r\n\r\n{}";

  @Test
  void isFieldsAnEmptyLineAndTheBody() throws Exception {
    Header header = new Header("1@tax", Instant.parse("2026-11-27T00:30:00Z"), "q", null, null);
    byte[] entity = Entity.write(new Content(header, "{}".getBytes(ISO_8859_1)));
    assertThat(new String(entity, ISO_8859_1)).isEqualTo(REQUEST);
    assertThat(Entity.read(entity).header()).isEqualTo(header);
  }

  @Test
  void answersNameQueueAndMessage() throws Exception {
    Header header = new Header("2@kw", Instant.EPOCH, "replies", "requests", "1@tax");
    assertThat(Entity.read(Entity.write(new Content(header, new byte[0]))).header())
        .isEqualTo(header);
  }

  /** Pairs of a piece of the request and what takes its place. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Message-ID: <1@tax>|Message-ID: 1@tax",
        "Message-ID: <1@tax>|Message-ID: <>",
        "Message-ID: <1@tax>|Message-ID: <1 2>",
        "Message-ID: <1@tax>|Message-ID: <<1>>",
        "Message-ID: <1@tax>|message-id: <1@tax>",
        "Message-ID: <1@tax>|Message-ID:<1@tax>",
        "Message-ID: <1@tax>\r\n|",
        "To: q\r\n|",
        "To: q|To: q\r\nTo: q",
        "To: q|To: q\r\n r",
        "To: q|To: q\nCc: r",
        "To: q|To: q ",
        "To: q|To: q\u0000",
        "To: q|To: \u00e4",
        "To: q|Bcc: q",
        "To: q|To: q\r\nX-Mine: 1",
        "application/json|text/plain",
        "application/json|application/json; charset=utf-8",
        "00:30:00Z|00:30:00+00:00",
        "00:30:00Z|24:00:00Z",
        "00:30:00Z|23:59:60Z",
        "00:30:00Z|00:30:00.Z",
        "00:30:00Z|00:30Z",
        "2026-11-27|2026-02-30",
        "2026-11-27|0000-11-27",
        "2026-11-27|+12026-11-27",
        "\r\n\r\n{}|",
      })
  void otherFormsAreRefused(String change) {
    String[] parts = change.split("\\|", -1);
    assertThat(REQUEST).contains(parts[0]);
    byte[] entity = REQUEST.replace(parts[0], parts[1]).getBytes(ISO_8859_1);
    ProtectionException refusal =
        catchThrowableOfType(ProtectionException.class, () -> Entity.read(entity));
    assertThat(refusal).isNotNull();
    assertThat(refusal.fault()).isEqualTo(Fault.MALFORMED);
  }

  @Test
  void headersCannotSmuggleLines() {
    Instant now = Instant.EPOCH;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Header("1\r\nTo: r", now, "q", null, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Header("1", now, "q\r\n\r\n{}", null, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Header("1", now, "q", "q".repeat(201), null));
    assertThatIllegalArgumentException().isThrownBy(() -> new Header("1", now, "q", null, "a>"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Header("1", Instant.MAX, "q", null, null));
  }
}
