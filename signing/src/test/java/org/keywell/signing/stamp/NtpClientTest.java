package org.keywell.signing.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers that are wrong in each way; a real server is asked by the acceptance tests. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class NtpClientTest {

  private static final Duration LIMIT = Duration.ofMillis(300);
  private static final long TO_1900 = 2_208_988_800L;

  private final NtpClient client = new NtpClient(InstantSource.system(), new SecureRandom(), LIMIT);
  private DatagramSocket server;

  @BeforeEach
  void open() throws IOException {
    server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private NtpAnswer ask(UnaryOperator<byte[]> answer) throws IOException {
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                DatagramPacket packet = new DatagramPacket(new byte[100], 100);
                server.receive(packet);
                byte[] request = Arrays.copyOf(packet.getData(), packet.getLength());
                byte[] reply = answer.apply(request);
                server.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    try {
      return client.ask((InetSocketAddress) server.getLocalSocketAddress());
    } finally {
      assertThat(thread.isInterrupted()).isFalse();
    }
  }

  /** As a server whose time is that of this machine and an offset. */
  private static byte[] reply(byte[] request, Duration offset) {
    assertThat(request).hasSize(48);
    assertThat(request[0]).isEqualTo((byte) 0x23);
    ByteBuffer reply = ByteBuffer.allocate(48);
    reply.put(0, (byte) 0x24).put(1, (byte) 2);
    // 1/8 s and 1/16 s.
    reply.putInt(4, 0x2000).putInt(8, 0x1000);
    reply.putLong(24, ByteBuffer.wrap(request).getLong(40));
    long now = ntp(Instant.now().plus(offset));
    return reply.putLong(32, now).putLong(40, now).array();
  }

  private static long ntp(Instant time) {
    long fraction = (((long) time.getNano()) << 32) / 1_000_000_000L;
    return ((time.getEpochSecond() + TO_1900) << 32) | fraction;
  }

  @ParameterizedTest
  @CsvSource({"PT0S", "PT2.5S", "-PT3H"})
  void theOffsetIsThatOfTheServersTime(Duration offset) throws IOException {
    NtpAnswer answer = ask(request -> reply(request, offset));

    assertThat(answer.offset().toMillis()).isCloseTo(offset.toMillis(), within(200L));
    assertThat(answer.error()).isBetween(Duration.ofMillis(125), Duration.ofMillis(425));
  }

  /** Its era ends in 2036; until 2104 the next one is meant. */
  @Test
  void secondsBeginAgain() throws IOException {
    Instant then = Instant.parse("2040-01-01T00:00:00Z");
    Duration offset = Duration.between(Instant.now(), then);
    NtpAnswer answer = ask(request -> reply(request, offset));

    assertThat(answer.offset().toSeconds()).isCloseTo(offset.toSeconds(), within(1L));
  }

  @ParameterizedTest
  @CsvSource({
    "0, e4, it does not know the time",
    "1, 00, it does not know the time",
    "1, 10, it does not know the time",
    "0, 23, an answer to something else",
    "24, 00, an answer to something else"
  })
  void whatDoesNotAnswerIsNoAnswer(int at, String value, String reason) {
    assertThatIOException()
        .isThrownBy(() ->
            ask(request -> {
              byte[] reply = reply(request, Duration.ZERO);
              byte wanted = HexFormat.of().parseHex(value)[0];
              reply[at] = at == 24 ? (byte) ~reply[at] : wanted;
              return reply;
            }))
        .withMessage(reason);
  }

  @Test
  void aShortAnswerIsNone() {
    assertThatIOException()
        .isThrownBy(() -> ask(request -> Arrays.copyOf(reply(request, Duration.ZERO), 47)))
        .withMessage("a short answer");
  }

  @Test
  void silenceHasALimit() {
    assertThatIOException()
        .isThrownBy(() -> client.ask((InetSocketAddress) server.getLocalSocketAddress()));
    assertThatIOException()
        .isThrownBy(() -> client.ask(InetSocketAddress.createUnresolved("not a name", 123)))
        .withMessage("unknown host");
  }
}
