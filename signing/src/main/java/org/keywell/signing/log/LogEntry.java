package org.keywell.signing.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the log: a JSON object in the form of RFC 8785, so that its hash depends on its
 * content alone. Its values are strings, integers and lists of them. Contains no personal data, no
 * ticket and no key. Not thread-safe while it is being made.
 */
public final class LogEntry {

  /** The version of what the members mean. */
  private static final int VERSION = 1;

  private static final int FIRST_PRINTABLE = 0x20;

  /** As the entries that the database writes itself have it. */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

  private final SortedMap<String, String> members = new TreeMap<>();
  private final @Nullable UUID requestId;

  private LogEntry(String type, @Nullable UUID requestId) {
    this.requestId = requestId;
    members.put("v", Integer.toString(VERSION));
    var _ = text("type", type);
  }

  /** Returns an entry that is about no single request. */
  public static LogEntry of(String type) {
    return new LogEntry(type, null);
  }

  /** Returns an entry about a request, by whose id it is found. */
  public static LogEntry of(String type, UUID requestId) {
    return new LogEntry(type, requestId).text("request", requestId.toString());
  }

  public @Nullable UUID requestId() {
    return requestId;
  }

  /** Adds a member, unless it is null. */
  public LogEntry text(String name, @Nullable String value) {
    return value == null ? this : with(name, quoted(value));
  }

  /** Adds a list of texts. */
  public LogEntry texts(String name, Collection<String> values) {
    return with(
        name, values.stream().map(LogEntry::quoted).collect(Collectors.joining(",", "[", "]")));
  }

  public LogEntry number(String name, @Nullable Long value) {
    return value == null ? this : with(name, Long.toString(value));
  }

  /** Adds a time in UTC, to the microsecond that the database keeps. */
  public LogEntry time(String name, @Nullable Instant value) {
    return value == null ? this : text(name, TIME.format(value));
  }

  /** Adds bytes in hexadecimal: hashes, which people compare. */
  public LogEntry hex(String name, byte @Nullable [] value) {
    return value == null ? this : text(name, HexFormat.of().formatHex(value));
  }

  /** Adds a list of bytes, each in hexadecimal. */
  public LogEntry hex(String name, Collection<byte[]> values) {
    return with(
        name,
        values.stream()
            .map(value -> quoted(HexFormat.of().formatHex(value)))
            .collect(Collectors.joining(",", "[", "]")));
  }

  /** Adds a list of bytes, each in base64, as callers have sent them. */
  public LogEntry base64(String name, Collection<byte[]> values) {
    return with(
        name,
        values.stream()
            .map(value -> quoted(Base64.getEncoder().encodeToString(value)))
            .collect(Collectors.joining(",", "[", "]")));
  }

  private LogEntry with(String name, String json) {
    if (members.put(name, json) != null) {
      throw new IllegalStateException("an entry has one " + name);
    }
    return this;
  }

  /** Returns its bytes in the log. */
  public byte[] bytes() {
    return members.entrySet().stream()
        .map(member -> quoted(member.getKey()) + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> json.append('\\').append(c);
        case '\b' -> json.append("\\b");
        case '\t' -> json.append("\\t");
        case '\n' -> json.append("\\n");
        case '\f' -> json.append("\\f");
        case '\r' -> json.append("\\r");
        default -> {
          if (c < FIRST_PRINTABLE) {
            json.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }
}
