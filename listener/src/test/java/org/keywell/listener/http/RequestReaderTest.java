package org.keywell.listener.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestReaderTest {

  private static final int MAX_BODY = 100;

  private static RequestReader reader(String sent) {
    return new RequestReader(
        new ByteArrayInputStream(sent.replace("|", "\r\n").getBytes(ISO_8859_1)), MAX_BODY);
  }

  @Test
  void requestsFollowEachOther() throws Exception {
    RequestReader reader =
        reader("POST /a HTTP/1.1|Host: x|Content-Length: 3||abcPOST /b HTTP/1.1|A:1|a: 2 ||");

    RequestReader.Head first = reader.head();
    assertThat(first.target()).isEqualTo("/a");
    assertThat(first.headers().get("host")).containsExactly("x");
    assertThat(reader.body(first)).asString().isEqualTo("abc");
    RequestReader.Head second = reader.head();
    assertThat(second.headers().get("a")).containsExactly("1", "2");
    assertThat(reader.body(second)).isEmpty();
    assertThat(reader.awaitFirst()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "GET /,400",
    "GET / HTTP/1.0||,505",
    "GET  / HTTP/1.1||,400",
    "get / HTTP/1.1||,400",
    "GET http://x/ HTTP/1.1||,400",
    "GET / HTTP/1.1|A : b||,400",
    "GET / HTTP/1.1| folded: b||,400",
    "GET / HTTP/1.1|A||,400",
    "GET / HTTP/1.1|Transfer-Encoding: chunked||,501",
    "POST / HTTP/1.1|Content-Length: 1|Content-Length: 1||x,400",
    "POST / HTTP/1.1|Content-Length: +1||x,400",
    "POST / HTTP/1.1|Content-Length: -1||x,400",
    "POST / HTTP/1.1|Content-Length: 101||,413",
    "POST / HTTP/1.1|Content-Length: 99999999999||,400"
  })
  void whatIsNotARequestIsRefused(String sent, int status) {
    assertThatExceptionOfType(MalformedRequestException.class)
        .isThrownBy(() -> reader(sent + (sent.contains("|") ? "" : "|")).head())
        .satisfies(e -> assertThat(e.status()).isEqualTo(status));
  }

  @Test
  void linesEndInCarriageReturnAndLineFeed() {
    for (String sent : new String[] {"GET / HTTP/1.1\nA: b\n\n", "GET / HTTP/1.1\rA: b||"}) {
      assertThatExceptionOfType(MalformedRequestException.class)
          .isThrownBy(() -> reader(sent).head());
    }
  }

  @Test
  void aHeadHasALimit() {
    assertThatExceptionOfType(MalformedRequestException.class)
        .isThrownBy(() -> reader("GET / HTTP/1.1|A: " + "x".repeat(20_000)).head())
        .withMessageContaining("16384");
    assertThatExceptionOfType(MalformedRequestException.class)
        .isThrownBy(() -> reader("GET / HTTP/1.1|" + "A: b|".repeat(65) + "|").head())
        .withMessageContaining("64");
  }

  @Test
  void anEarlyEndIsNoRequest() throws Exception {
    assertThatExceptionOfType(EOFException.class).isThrownBy(() -> reader("GET / HT").head());
    RequestReader reader = reader("POST / HTTP/1.1|Content-Length: 3||ab");
    RequestReader.Head head = reader.head();
    assertThatExceptionOfType(EOFException.class).isThrownBy(() -> reader.body(head));
  }
}
