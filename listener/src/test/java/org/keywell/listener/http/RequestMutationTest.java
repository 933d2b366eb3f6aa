package org.keywell.listener.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.testkit.Mutations;

/** Each altered message is read or refused as malformed; nothing else is thrown. */
@Timeout(60)
final class RequestMutationTest {

  private static final int COUNT = 20_000;

  private static final byte[] GOOD =
      """
      POST /kms/xks/v1/keys/foo/encrypt HTTP/1.1\r
      Host: xks.example:8443\r
      X-Amz-Date: 20260304T050607Z\r
      Authorization: AWS4-HMAC-SHA256 Credential=A/20260304/eu-north-1/kms-xks-proxy/aws4_request\r
      Content-Length: 2\r
      \r
      {}\
      """
          .getBytes(US_ASCII);

  @Test
  void alteredMessagesAreReadOrRefused() throws IOException {
    Mutations head = Mutations.ofHead();
    Set<Integer> seen = new TreeSet<>();
    int read = 0;
    for (int seed = 0; seed < COUNT; seed++) {
      byte[] altered = head.of(GOOD, new Random(seed));
      RequestReader reader = new RequestReader(new ByteArrayInputStream(altered), 1_000);
      try {
        if (reader.awaitFirst()) {
          byte[] body = reader.body(reader.head());
          assertThat(body.length).isLessThanOrEqualTo(1_000);
          read++;
        }
      } catch (MalformedRequestException e) {
        seen.add(e.status());
      } catch (EOFException e) {
        seen.add(0);
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("seed %d: %s".formatted(seed, e), e);
      }
    }
    assertThat(read).isPositive();
    assertThat(seen).isSubsetOf(0, 400, 413, 501, 505).contains(0, 400, 505);
  }
}
