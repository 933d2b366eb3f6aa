package org.keywell.dss;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Undoes PNG's filters (ISO 32000-2, 7.4.4.4) on rows of one-byte samples. Not thread-safe. */
final class PngRows extends InputStream {
  private final InputStream filtered;
  private byte[] row;
  private byte[] above;
  private int at;

  PngRows(InputStream filtered, int columns) {
    this.filtered = filtered;
    this.row = new byte[columns];
    this.above = new byte[columns];
    this.at = columns;
  }

  @Override
  public int read() throws IOException {
    if (at == row.length && !nextRow()) {
      return -1;
    }
    return row[at++] & 0xFF;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == row.length && !nextRow()) {
      return -1;
    }
    int copied = Math.min(length, row.length - at);
    System.arraycopy(row, at, into, offset, copied);
    at += copied;
    return copied;
  }

  @Override
  public void close() throws IOException {
    filtered.close();
  }

  private boolean nextRow() throws IOException {
    int filter = filtered.read();
    if (filter < 0) {
      return false;
    }
    byte[] done = above;
    above = row;
    row = done;
    if (filtered.readNBytes(row, 0, row.length) < row.length) {
      throw new EOFException("a row of the cross-reference stream is cut off");
    }
    for (int i = 0; i < row.length; i++) {
      int left = i == 0 ? 0 : row[i - 1] & 0xFF;
      int up = above[i] & 0xFF;
      row[i] += (byte) predicted(filter, left, up, i == 0 ? 0 : above[i - 1] & 0xFF);
    }
    at = 0;
    return true;
  }

  private static int predicted(int filter, int left, int up, int upLeft) throws IOException {
    return switch (filter) {
      case 0 -> 0;
      case 1 -> left;
      case 2 -> up;
      case 3 -> (left + up) / 2;
      case 4 -> paeth(left, up, upLeft);
      default -> throw new IOException("PNG has no filter " + filter);
    };
  }

  private static int paeth(int left, int up, int upLeft) {
    int byLeft = Math.abs(up - upLeft);
    int byUp = Math.abs(left - upLeft);
    int byBoth = Math.abs(left + up - 2 * upLeft);
    if (byLeft <= byUp && byLeft <= byBoth) {
      return left;
    }
    return byUp <= byBoth ? up : upLeft;
  }
}
