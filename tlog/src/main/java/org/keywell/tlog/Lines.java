package org.keywell.tlog;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** What the formats' lines have in common. One value has one text only. */
final class Lines {

  private static final int MAX_DIGITS = 19;

  private Lines() {}

  /** Decodes base64 with its padding, as RFC 4648, section 4, has it. */
  static byte[] base64(String text, String what) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new LogFormatException("no " + what + " in base64: " + text, e);
    }
    if (!Base64.getEncoder().encodeToString(bytes).equals(text)) {
      throw new LogFormatException("no canonical base64: " + text);
    }
    return bytes;
  }

  /** Reads a decimal number without sign and leading zeros. */
  static long number(String text, String what) {
    if (!text.isEmpty()
        && text.length() <= MAX_DIGITS
        && text.chars().allMatch(c -> c >= '0' && c <= '9')
        && (text.length() == 1 || text.charAt(0) != '0')) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new LogFormatException(what + " is beyond 2^63: " + text, e);
      }
    }
    throw new LogFormatException("no " + what + ": " + text);
  }

  /** Decodes UTF-8 strictly. */
  static String utf8(byte[] bytes, String what) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new LogFormatException(what + " is not UTF-8", e);
    }
  }
}
