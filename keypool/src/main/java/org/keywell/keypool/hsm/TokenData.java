package org.keywell.keypool.hsm;

/**
 * A small piece of data that a token keeps.
 *
 * @param name of the object; not secret
 * @param value at most {@value #MAX_BYTES} bytes; who has the user's PIN can read it
 */
public record TokenData(String name, byte[] value) {

  /** Fits into the buffers of a session. */
  public static final int MAX_BYTES = 4_000;

  public TokenData {
    if (value.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "%s has %d bytes, more than %d".formatted(name, value.length, MAX_BYTES));
    }
  }
}
