package org.keywell.signing.stamp;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Asks time servers by NTP version 4 (RFC 5905), as a client without a state. A request has a
 * random number where its time would be, so that only who has seen it can answer. Thread-safe.
 */
final class NtpClient {

  private static final int PACKET_BYTES = 48;

  /** No leap warning, version 4, client. */
  private static final byte REQUEST = 0b00_100_011;

  private static final int SERVER = 4;
  private static final int UNSYNCHRONIZED = 3;
  private static final int MOST_STRATUM = 15;
  private static final int ROOT_DELAY = 4;
  private static final int ROOT_DISPERSION = 8;
  private static final int ORIGIN = 24;
  private static final int RECEIVED = 32;
  private static final int SENT = 40;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** From 1900 to 1970. */
  private static final long UNIX_EPOCH = 2_208_988_800L;

  private static final long ERA_SECONDS = 1L << 32;

  private final InstantSource clock;
  private final SecureRandom random;
  private final Duration limit;

  /**
   * @param limit on the wait for an answer
   */
  NtpClient(InstantSource clock, SecureRandom random, Duration limit) {
    this.clock = clock;
    this.random = random;
    this.limit = limit;
  }

  /**
   * Asks a server once, at the address that its name has now.
   *
   * @throws IOException if it does not answer, or says that it does not know the time
   */
  NtpAnswer ask(InetSocketAddress server) throws IOException {
    InetSocketAddress address = new InetSocketAddress(server.getHostString(), server.getPort());
    if (address.isUnresolved()) {
      throw new UnknownHostException("unknown host");
    }
    long cookie = random.nextLong();
    ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES);
    packet.put(0, REQUEST).putLong(SENT, cookie);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
      // From now on it takes nothing from others.
      socket.connect(address);
      Instant sent = clock.instant();
      socket.send(new DatagramPacket(packet.array(), PACKET_BYTES));
      DatagramPacket answer = new DatagramPacket(new byte[PACKET_BYTES], PACKET_BYTES);
      socket.receive(answer);
      Instant received = clock.instant();
      if (answer.getLength() < PACKET_BYTES) {
        throw new ProtocolException("a short answer");
      }
      return read(ByteBuffer.wrap(answer.getData()), cookie, sent, received);
    }
  }

  private static NtpAnswer read(ByteBuffer answer, long cookie, Instant sent, Instant received)
      throws ProtocolException {
    int first = answer.get(0) & 0xFF;
    int stratum = answer.get(1) & 0xFF;
    if ((first & 0b111) != SERVER || answer.getLong(ORIGIN) != cookie) {
      throw new ProtocolException("an answer to something else");
    }
    if (first >> 6 == UNSYNCHRONIZED || stratum == 0 || stratum > MOST_STRATUM) {
      throw new ProtocolException("it does not know the time");
    }
    Duration there = Duration.between(sent, time(answer.getLong(RECEIVED)));
    Duration back = Duration.between(received, time(answer.getLong(SENT)));
    Duration delay = there.minus(back);
    if (delay.isNegative()) {
      throw new ProtocolException("the clock was set meanwhile");
    }
    Duration root =
        Duration.ofNanos(
            shortNanos(answer.getInt(ROOT_DELAY)) / 2 + shortNanos(answer.getInt(ROOT_DISPERSION)));
    return new NtpAnswer(there.plus(back).dividedBy(2), delay.dividedBy(2).plus(root));
  }

  /** NTP's time has 32 bits of seconds, which begin again in 2036. */
  private static Instant time(long ntp) {
    long seconds = ntp >>> 32;
    long era = seconds >= ERA_SECONDS / 2 ? 0 : ERA_SECONDS;
    long nanos = ((ntp & 0xFFFF_FFFFL) * NANOS_PER_SECOND) >>> 32;
    return Instant.ofEpochSecond(seconds + era - UNIX_EPOCH, nanos);
  }

  /** A duration of 16 bits of seconds and 16 of a fraction. */
  private static long shortNanos(int ntp) {
    return ((ntp & 0xFFFF_FFFFL) * NANOS_PER_SECOND) >>> 16;
  }
}
