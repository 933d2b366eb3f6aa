package org.keywell.kmip.ttlv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.kmip.ttlv.TtlvException.Reason;

final class TtlvReaderTest {

  private final TtlvReader reader = new TtlvReader(new TtlvLimits(1024, 3, 5));

  @ParameterizedTest
  @CsvSource({
    "'', TRUNCATED",
    "42002002000000, TRUNCATED",
    "4200200200000004, TRUNCATED",
    "420020020000000400000008000000, TRUNCATED",
    "420020080000000300010203, TRUNCATED",
    "42002008000003E80000000000000000, TRUNCATED",
    "420020087FFFFFFF0000000000000000, TRUNCATED",
    "42002002000000040000000800000000 00, TRAILING_BYTES",
    "42002002000000040000000800000000 42002002000000040000000800000000, TRAILING_BYTES",
    "43002002000000040000000800000000, BAD_TAG",
    "00002002000000040000000800000000, BAD_TAG",
    "4200200C000000040000000800000000, UNKNOWN_TYPE",
    "42002000000000040000000800000000, UNKNOWN_TYPE",
    "420020FF000000040000000800000000, UNKNOWN_TYPE",
    "42002002000000080000000000000008, BAD_LENGTH",
    "42002002000000000000000000000000, BAD_LENGTH",
    "42002003000000040000000000000000, BAD_LENGTH",
    "42002005000000030000000000000000, BAD_LENGTH",
    "42002006000000010100000000000000, BAD_LENGTH",
    "42002009000000040000000000000000, BAD_LENGTH",
    "4200200A000000080000000000000000, BAD_LENGTH",
    "4200200B000000040000000000000000, BAD_LENGTH",
    "4200200400000000, BAD_LENGTH",
    "42002004000000040000000100000000, BAD_LENGTH",
    "42002001000000040000000000000000, BAD_LENGTH",
    "42002007FFFFFFFF0000000000000000, BAD_LENGTH",
    "4200200780000000, BAD_LENGTH",
    "42002002000000040000000800000001, BAD_PADDING",
    "42002007000000014100000000000001, BAD_PADDING",
    "42002006000000080000000000000002, BAD_BOOLEAN",
    "42002006000000080100000000000000, BAD_BOOLEAN",
    "4200200700000001FF00000000000000, BAD_TEXT",
    "4200200700000002C080000000000000, BAD_TEXT",
    "4200200700000003EDA0800000000000, BAD_TEXT",
    "4200200700000001C300000000000000, BAD_TEXT",
    "42002001000000080000000000000000, BAD_TAG",
    // The structure says 8, so the integer within does not fit.
    "4200200100000010 4200200100000008 4200200200000004 0000000800000000, BEYOND_STRUCTURE",
    "42002001000000084200200200000004 0000000800000000, BEYOND_STRUCTURE",
    "4200200100000018 42002002000000040000000800000000, TRUNCATED",
    "4200200100000010 42002002000000040000000800000000 00, TRAILING_BYTES",
    "4200200100000018 4200200100000010 4200200100000008 4200200100000000, TOO_DEEP",
    "4200200100000028 4200200100000000 4200200100000000 4200200100000000"
        + " 4200200100000000 4200200100000000, TOO_MANY_ITEMS",
  })
  void refuses(String hex, Reason reason) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));

    TtlvException e = catchThrowableOfType(TtlvException.class, () -> reader.read(bytes));

    assertThat(e.reason()).isEqualTo(reason);
    assertThat(e.offset()).isBetween(0, bytes.length);
  }

  @Test
  void refusesAMessageThatIsTooLong() {
    byte[] bytes = TtlvWriter.write(new Item(0x420020, new Value.Bytes(new byte[1024])));

    TtlvException e = catchThrowableOfType(TtlvException.class, () -> reader.read(bytes));

    assertThat(e.reason()).isEqualTo(Reason.MESSAGE_TOO_LONG);
  }

  @Test
  void acceptsWhatIsAtTheLimits() {
    Item deep = structure(structure(structure()), structure(), structure());
    assertThat(reader.read(TtlvWriter.write(deep))).isEqualTo(deep);

    Item longest = new Item(0x420020, new Value.Bytes(new byte[1024 - 8]));
    assertThat(reader.read(TtlvWriter.write(longest))).isEqualTo(longest);
  }

  private static Item structure(Item... items) {
    return new Item(0x420020, new Value.Structure(List.of(items)));
  }

  @Test
  void takesMessagesFromAStreamOneByOne() throws IOException {
    byte[] one = TtlvWriter.write(structure(structure()));
    byte[] two = TtlvWriter.write(structure());
    InputStream stream = new ByteArrayInputStream(concatenated(one, two));

    assertThat(reader.next(stream)).isEqualTo(one);
    assertThat(reader.next(stream)).isEqualTo(two);
    assertThat(reader.next(stream)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "420020, TRUNCATED",
    "4200200100000018 4200200100000000, TRUNCATED",
    "42002001000003F9, MESSAGE_TOO_LONG",
    "420020017FFFFFFF, MESSAGE_TOO_LONG",
    "42002001FFFFFFF8, MESSAGE_TOO_LONG",
  })
  void refusesFromAStream(String hex, Reason reason) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));

    TtlvException e =
        catchThrowableOfType(
            TtlvException.class, () -> reader.next(new ByteArrayInputStream(bytes)));

    assertThat(e.reason()).isEqualTo(reason);
  }

  /** A peer that announces the longest message and sends little costs little. */
  @Test
  void allocatesWhatArrivesFromAStream() {
    TtlvReader large = new TtlvReader(new TtlvLimits(64 << 20, 16, 1000));
    AtomicInteger most = new AtomicInteger();
    InputStream slow =
        new ByteArrayInputStream(HexFormat.of().parseHex("4200200103000000")) {
          @Override
          public synchronized int read(byte[] into, int from, int length) {
            most.accumulateAndGet(into.length, Math::max);
            return super.read(into, from, length);
          }

          @Override
          public byte[] readNBytes(int length) {
            try {
              return plain(this).readNBytes(length);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        };

    TtlvException e = catchThrowableOfType(TtlvException.class, () -> large.next(slow));

    assertThat(e.reason()).isEqualTo(Reason.TRUNCATED);
    assertThat(most).hasValueLessThan(1 << 20);
  }

  /** A stream like a socket's, without shortcuts of its own. */
  private static InputStream plain(InputStream of) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        return of.read();
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        return of.read(into, from, length);
      }
    };
  }

  @Test
  void limitsAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TtlvLimits(15, 3, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> new TtlvLimits((64 << 20) + 1, 3, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> new TtlvLimits(1024, 0, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> new TtlvLimits(1024, 65, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> new TtlvLimits(1024, 3, 0));
  }

  @Test
  void itemsAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Item(0x430000, new Value.Int(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> new Value.Text("\ud800"));
    assertThatIllegalArgumentException().isThrownBy(() -> new Value.Interval(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Value.Interval(1L << 32));
  }

  @Test
  void bytesCannotBeChangedFromOutside() {
    byte[] bytes = {1, 2, 3};
    Value.Bytes value = new Value.Bytes(bytes);
    bytes[0] = 9;
    value.value()[1] = 9;

    assertThat(value.value()).containsExactly(1, 2, 3);
  }

  private static byte[] concatenated(byte[] one, byte[] two) {
    byte[] both = Arrays.copyOf(one, one.length + two.length);
    System.arraycopy(two, 0, both, one.length, two.length);
    return both;
  }
}
