package org.keywell.signing.hsm.enrol;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.keywell.settings.StartRefusedException;

/** SHA-256 of content that people compare over another channel. */
record KeyFingerprint(String hex) {
  private static final int DIGITS = 64;
  private static final int GROUP = 4;
  private static final Pattern SEPARATORS = Pattern.compile("[\\s:-]");
  private static final Pattern ALL_DIGITS = Pattern.compile("[0-9a-f]{" + DIGITS + "}");

  static KeyFingerprint of(byte[] content) {
    try {
      return new KeyFingerprint(
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Parses a person's input: with or without groups, in either case.
   *
   * @throws StartRefusedException unless it has all 64 digits
   */
  static KeyFingerprint parse(String text) {
    String hex = SEPARATORS.matcher(text).replaceAll("").toLowerCase(Locale.ROOT);
    if (!ALL_DIGITS.matcher(hex).matches()) {
      throw new StartRefusedException(
          "a fingerprint has " + DIGITS + " hexadecimal digits, '" + text + "' has not");
    }
    return new KeyFingerprint(hex);
  }

  /** Formats it in groups to read out, as one word for a command line. */
  @Override
  public String toString() {
    return IntStream.range(0, DIGITS / GROUP)
        .mapToObj(group -> hex.substring(group * GROUP, (group + 1) * GROUP))
        .collect(Collectors.joining("-"));
  }
}
