package org.keywell.kmip.table;

import java.util.Comparator;
import java.util.List;

/** A version of the protocol, of any number. */
public record ProtocolVersion(int major, int minor) implements Comparable<ProtocolVersion> {

  public static final ProtocolVersion V1_0 = new ProtocolVersion(1, 0);
  public static final ProtocolVersion V1_3 = new ProtocolVersion(1, 3);
  public static final ProtocolVersion V1_4 = new ProtocolVersion(1, 4);
  public static final ProtocolVersion V2_0 = new ProtocolVersion(2, 0);
  public static final ProtocolVersion V2_1 = new ProtocolVersion(2, 1);

  /** What is spoken here, the newest first. */
  public static final List<ProtocolVersion> SUPPORTED =
      List.of(V2_1, V2_0, V1_4, V1_3, new ProtocolVersion(1, 2), new ProtocolVersion(1, 1), V1_0);

  private static final Comparator<ProtocolVersion> ORDER =
      Comparator.comparingInt(ProtocolVersion::major).thenComparingInt(ProtocolVersion::minor);

  @Override
  public int compareTo(ProtocolVersion other) {
    return ORDER.compare(this, other);
  }

  public boolean isAtLeast(ProtocolVersion other) {
    return compareTo(other) >= 0;
  }

  public boolean isSupported() {
    return SUPPORTED.contains(this);
  }

  /** Returns the newest supported version that is not newer; the oldest if there is none. */
  public ProtocolVersion nearest() {
    return SUPPORTED.stream().filter(this::isAtLeast).findFirst().orElse(V1_0);
  }

  /**
   * Parses "2.1".
   *
   * @throws IllegalArgumentException if it is no version
   */
  static ProtocolVersion parse(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("no version: " + text);
    }
    return new ProtocolVersion(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
