package org.keywell.kmip.ttlv;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the specification, 9.1.2 in KMIP 1.2. */
final class SpecificationExamplesTest {

  private static final int TAG = 0x420020;

  static List<Arguments> examples() {
    return List.of(
        example(new Value.Int(8), "02 00000004 0000000800000000"),
        example(new Value.LongInt(123456789000000000L), "03 00000008 01B69B4BA5749200"),
        example(
            new Value.BigInt(new BigInteger("1234567890000000000000000000")),
            "04 00000010 0000000003FD35EB6BC2DF4618080000"),
        example(new Value.Enumerated(255), "05 00000004 000000FF00000000"),
        example(new Value.Bool(true), "06 00000008 0000000000000001"),
        example(new Value.Text("Hello World"), "07 0000000B 48656C6C6F20576F726C640000000000"),
        example(new Value.Bytes(new byte[] {1, 2, 3}), "08 00000003 0102030000000000"),
        example(new Value.DateTime(1205495800L), "09 00000008 0000000047DA67F8"),
        example(new Value.Interval(864000), "0A 00000004 000D2F0000000000"),
        example(
            new Value.Structure(
                List.of(
                    new Item(0x420004, new Value.Enumerated(254)),
                    new Item(0x420005, new Value.Int(255)))),
            "01 00000020 4200040500000004000000FE00000000 4200050200000004000000FF00000000"),
        // Not among them: what they leave open.
        example(new Value.BigInt(BigInteger.ZERO), "04 00000008 0000000000000000"),
        example(new Value.BigInt(BigInteger.valueOf(-1)), "04 00000008 FFFFFFFFFFFFFFFF"),
        example(
            new Value.BigInt(BigInteger.ONE.shiftLeft(63)),
            "04 00000010 00000000000000008000000000000000"),
        example(new Value.Text(""), "07 00000000"),
        example(new Value.Text("12345678"), "07 00000008 3132333435363738"),
        example(new Value.Interval(0xFFFF_FFFFL), "0A 00000004 FFFFFFFF00000000"),
        example(new Value.DateTimeExtended(-1), "0B 00000008 FFFFFFFFFFFFFFFF"),
        example(new Value.Structure(List.of()), "01 00000000"));
  }

  private static Arguments example(Value value, String rest) {
    String hex = "420020" + rest.replace(" ", "");
    return Arguments.of(new Item(TAG, value), HexFormat.of().parseHex(hex));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void areWrittenAndRead(Item item, byte[] bytes) {
    assertThat(TtlvWriter.write(item)).isEqualTo(bytes);
    assertThat(TtlvWriter.size(item)).isEqualTo(bytes.length);
    assertThat(new TtlvReader(TtlvLimits.STANDARD).read(bytes)).isEqualTo(item);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void secretsAreNotShown(Item item, byte[] bytes) {
    assertThat(item.toString())
        .doesNotContain(
            "Hello",
            "1234567890000000000000000000",
            new String(bytes, StandardCharsets.ISO_8859_1));
  }
}
