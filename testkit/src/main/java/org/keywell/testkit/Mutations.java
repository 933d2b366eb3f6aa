package org.keywell.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Alters what a client sends, the same way for the same random numbers: bits, lengths and tags
 * change, and parts are cut off, left out, repeated, or replaced by values that parsers dislike.
 */
public final class Mutations {

  private static final int MOST = 3;
  private static final int DEEP = 3_000;

  /** What a length, a tag or a sign changes into. */
  private static final int[] EDGES = {0, 0x1F, 0x30, 0x7F, 0x80, 0x84, 0xA0, 0xFF};

  private final List<byte[]> pieces;
  private final String ends;

  private Mutations(List<byte[]> pieces, String ends) {
    this.pieces = pieces;
    this.ends = ends;
  }

  private static Mutations ofText(String ends, Stream<String> pieces) {
    return new Mutations(
        pieces.map(piece -> piece.getBytes(StandardCharsets.UTF_8)).toList(), ends);
  }

  public static Mutations ofJson() {
    return ofText(
        ":,{}[]",
        Stream.of(
            "null",
            "true",
            "-1",
            "[]",
            "{}",
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"\u00e5\u4e2d\"",
            "1e400",
            "-1e308",
            "9223372036854775807",
            "99999999999999999999999999",
            "[null]",
            "[[\"\"],{}]",
            "{\"a\":{\"a\":null}}",
            "\"" + "A".repeat(DEEP) + "\"",
            "[".repeat(DEEP),
            "{\"a\":".repeat(DEEP)));
  }

  public static Mutations ofXml() {
    return ofText(
        "<>=\" ",
        Stream.of(
            "",
            "<a>".repeat(DEEP),
            "<a/>",
            "<!-- -->",
            "<![CDATA[]]>",
            "<?a b?>",
            "&#0;",
            "&a;",
            "&#x10FFFF;",
            "xmlns:a=\"\"",
            "xmlns=\"urn:a\"",
            " ID=\"a\"",
            "-1",
            "9999999999-12-31T23:59:59Z",
            "0000-00-00T00:00:00Z",
            "A".repeat(DEEP)));
  }

  /** Of what follows HTTP's rules for the head of a message. */
  public static Mutations ofHead() {
    return ofText(
        " :/;=,\r\n",
        Stream.of(
            "",
            "\r\n",
            "\n",
            "\t",
            "\0",
            "-1",
            "%00",
            "//",
            "../",
            "?a=b",
            "999999999999",
            "00010101T000000Z",
            "99991231T235959Z",
            "a;".repeat(500),
            "A".repeat(DEEP)));
  }

  public static Mutations ofDer() {
    return new Mutations(
        List.of(
            new byte[] {5, 0},
            new byte[] {2, 1, -1},
            new byte[] {2, 0},
            new byte[] {6, 0},
            new byte[] {6, 1, -128},
            new byte[] {3, 0},
            new byte[] {3, 1, 9},
            new byte[] {0x30, 0},
            new byte[] {0x31, 0},
            new byte[] {0x30, -128, 0, 0},
            new byte[] {0x30, -124, 127, -1, -1, -1},
            new byte[] {4, -119, 1, 1, 1, 1, 1, 1, 1, 1, 1},
            new byte[] {0x1F, -1, -1, -1, -1, 127, 0},
            repeated(new byte[] {0x30, -128}),
            repeated(new byte[] {0x24, -128}),
            repeated(new byte[] {-96, -126, 127, 127})),
        "");
  }

  private static byte[] repeated(byte[] piece) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < DEEP; i++) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }

  /** Returns altered bytes. */
  public byte[] of(byte[] original, Random random) {
    byte[] bytes = original.clone();
    for (int left = 1 + random.nextInt(MOST); left > 0 && bytes.length > 0; left--) {
      bytes = once(bytes, random);
    }
    return bytes;
  }

  private byte[] once(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, at + 1 + random.nextInt(16));
    return switch (random.nextInt(40)) {
      case 0 -> piece(random);
      case 1, 2, 3, 4, 5 -> with(bytes, at, bytes[at] ^ (1 << random.nextInt(Byte.SIZE)));
      case 6, 7, 8, 9, 10 -> with(bytes, at, random.nextInt(256));
      case 11, 12, 13, 14, 15 -> with(bytes, at, EDGES[random.nextInt(EDGES.length)]);
      case 16, 17, 18, 19, 20 -> Arrays.copyOf(bytes, at);
      case 21, 22, 23, 24, 25 -> replaced(bytes, at, to, new byte[0]);
      case 26, 27, 28, 29, 30 -> replaced(bytes, at, at, Arrays.copyOfRange(bytes, at, to));
      case 31, 32, 33, 34, 35 -> replaced(bytes, at, at, piece(random));
      default -> exchanged(bytes, at, to, random);
    };
  }

  private byte[] piece(Random random) {
    return pieces.get(random.nextInt(pieces.size()));
  }

  /** A whole value of a text, if it has any. */
  private byte[] exchanged(byte[] bytes, int at, int to, Random random) {
    int[] places =
        IntStream.range(0, bytes.length).filter(i -> ends.indexOf(bytes[i]) >= 0).toArray();
    if (places.length < 2) {
      return replaced(bytes, at, to, piece(random));
    }
    int first = random.nextInt(places.length - 1);
    return replaced(bytes, places[first] + 1, places[first + 1], piece(random));
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] changed = bytes.clone();
    changed[at] = (byte) value;
    return changed;
  }

  private static byte[] replaced(byte[] bytes, int from, int to, byte[] by) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(bytes, 0, from);
    all.writeBytes(by);
    all.write(bytes, to, bytes.length - to);
    return all.toByteArray();
  }
}
