package org.keywell.kmip.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an operation fails. Our code names the reasons of the newest version; a client of an earlier
 * one reads what that version has for it.
 *
 * @param value in the enumeration {@code ResultReason}
 * @param earlier the name of a reason of KMIP 1.0 that versions before this reason have for it;
 *     null if 1.0 has this reason
 */
public record ResultReason(int value, String name, Span span, @Nullable String earlier) {

  private static final Map<String, ResultReason> ALL = new LinkedHashMap<>();

  static {
    for (String[] row : TableFile.rows("reasons.tsv", 4)) {
      int value = Enumerations.named("ResultReason", row[0]).bits();
      String earlier = row[3].equals("-") ? null : row[3];
      ALL.put(row[0], new ResultReason(value, row[0], Span.parse(row[1], row[2]), earlier));
    }
  }

  public static final ResultReason FEATURE_NOT_SUPPORTED = named("FeatureNotSupported");
  public static final ResultReason INVALID_FIELD = named("InvalidField");
  public static final ResultReason INVALID_MESSAGE = named("InvalidMessage");

  /**
   * Returns the reason of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ResultReason named(String name) {
    ResultReason reason = ALL.get(name);
    if (reason == null) {
      throw new IllegalArgumentException("no result reason: " + name);
    }
    return reason;
  }

  public static List<ResultReason> all() {
    return List.copyOf(ALL.values());
  }

  /** Returns what a client of that version is told; general failure if the version has nothing. */
  public ResultReason in(ProtocolVersion version) {
    if (span.includes(version)) {
      return this;
    }
    return named(earlier == null ? "GeneralFailure" : earlier);
  }

  @Override
  public String toString() {
    return name;
  }
}
