package org.keywell.tlog;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/**
 * A signature line of a {@link SignedNote}.
 *
 * @param name of the key
 * @param keyId of the key; with the name, it says which key and which algorithm
 * @param bytes what follows the key id
 */
public record NoteSignature(String name, int keyId, byte[] bytes) {

  private static final String DASH = "\u2014 ";

  public NoteSignature {
    NoteKey.requireName(name);
    bytes = bytes.clone();
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns its line, without the newline. */
  public String line() {
    byte[] all = ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(keyId).put(bytes).array();
    return DASH + name + " " + Base64.getEncoder().encodeToString(all);
  }

  /**
   * Reads a line.
   *
   * @throws LogFormatException if it is none
   */
  public static NoteSignature parse(String line) {
    int space = line.lastIndexOf(' ');
    if (!line.startsWith(DASH) || space < DASH.length()) {
      throw new LogFormatException("no signature line: " + line);
    }
    byte[] all = Lines.base64(line.substring(space + 1), "signature");
    if (all.length <= Integer.BYTES) {
      throw new LogFormatException("no signature: " + line);
    }
    return new NoteSignature(
        line.substring(DASH.length(), space),
        ByteBuffer.wrap(all).getInt(),
        Arrays.copyOfRange(all, Integer.BYTES, all.length));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoteSignature signature && line().equals(signature.line());
  }

  @Override
  public int hashCode() {
    return line().hashCode();
  }

  @Override
  public String toString() {
    return line();
  }
}
