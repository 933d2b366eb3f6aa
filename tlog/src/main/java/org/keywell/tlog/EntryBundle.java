package org.keywell.tlog;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Encodes consecutive entries as the log serves them (C2SP tlog-tiles, "Log entries"). */
public final class EntryBundle {

  /** Of an entry, in bytes. */
  public static final int MAX_ENTRY = 65_535;

  private static final int PREFIX = 2;

  private EntryBundle() {}

  /**
   * Encodes entries, in their order.
   *
   * @throws LogFormatException if an entry is longer than {@link #MAX_ENTRY}
   */
  public static byte[] encode(List<byte[]> entries) {
    ByteArrayOutputStream bundle = new ByteArrayOutputStream();
    for (byte[] entry : entries) {
      if (entry.length > MAX_ENTRY) {
        throw new LogFormatException("an entry of " + entry.length + " bytes");
      }
      bundle.write(entry.length >>> Byte.SIZE);
      bundle.write(entry.length);
      bundle.writeBytes(entry);
    }
    return bundle.toByteArray();
  }

  /**
   * Decodes all entries of a bundle.
   *
   * @throws LogFormatException if it ends within an entry
   */
  public static List<byte[]> decode(byte[] bundle) {
    List<byte[]> entries = new ArrayList<>();
    int at = 0;
    while (at < bundle.length) {
      int length =
          bundle.length - at < PREFIX
              ? MAX_ENTRY
              : Byte.toUnsignedInt(bundle[at]) << Byte.SIZE | Byte.toUnsignedInt(bundle[at + 1]);
      if (length > bundle.length - at - PREFIX) {
        throw new LogFormatException("a bundle ends within entry " + entries.size());
      }
      entries.add(Arrays.copyOfRange(bundle, at + PREFIX, at + PREFIX + length));
      at += PREFIX + length;
    }
    return entries;
  }
}
