package org.keywell.kmip.ttlv;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Messages that were altered in several ways: each is read or refused, in memory that its bytes
 * bound. {@code -Dkeywell.kmip.fuzz=N} tries N of them, from another seed each time.
 */
@Timeout(7200)
final class TtlvFuzzTest {

  private static final int NORMALLY = 100_000;

  /** An empty structure has eight bytes in a message, and this many in memory or fewer. */
  private static final int FACTOR = 64;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final TtlvReader reader = new TtlvReader(new TtlvLimits(1 << 16, 16, 10_000));

  @Test
  void alteredMessagesAreReadOrRefused() {
    Integer count = Integer.getInteger("keywell.kmip.fuzz");
    long first = count == null ? 0 : System.nanoTime();
    int read = 0;
    for (long seed = first; seed < first + (count == null ? NORMALLY : count); seed++) {
      byte[] bytes = altered(new Random(seed));
      long before = threads.getCurrentThreadAllocatedBytes();
      Item item = readOrRefused(bytes, seed);
      long used = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(used).as("bytes for seed %d", seed).isLessThan(100_000 + FACTOR * bytes.length);
      if (item != null) {
        read++;
        assertThat(reader.read(TtlvWriter.write(item))).as("seed %d", seed).isEqualTo(item);
      }
    }
    assertThat(read).as("some are still messages").isPositive();
  }

  private static byte[] altered(Random random) {
    byte[] bytes = TtlvWriter.write(new RandomItems(random.nextInt(1000)).tree());
    for (int left = 1 + random.nextInt(4); left > 0 && bytes.length > 0; left--) {
      bytes = alteredOnce(bytes, random);
    }
    return bytes;
  }

  private static byte[] alteredOnce(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(6)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 ->
          bytes[Math.min((at & ~7) | (4 + (at & 3)), bytes.length - 1)] =
              (byte) (random.nextBoolean() ? 0xFF : 0x7F);
      case 3 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 4 -> {
        // Some of it twice.
        int from = at & ~7;
        byte[] longer = Arrays.copyOf(bytes, bytes.length + from);
        System.arraycopy(bytes, 0, longer, bytes.length, from);
        return longer;
      }
      default -> {
        int from = random.nextInt(bytes.length);
        System.arraycopy(bytes, from, bytes, at, Math.min(8, bytes.length - Math.max(at, from)));
      }
    }
    return bytes;
  }

  private @Nullable Item readOrRefused(byte[] bytes, long seed) {
    try {
      return reader.read(bytes);
    } catch (TtlvException e) {
      return null;
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
