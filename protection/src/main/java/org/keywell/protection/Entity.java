package org.keywell.protection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.ProtectionException.Fault;

/** Header and body as the octets that are protected: field lines, an empty line, the body. */
final class Entity {

  private static final int MAX_HEAD = 2048;
  private static final String JSON = "application/json";
  private static final List<String> FIELDS =
      List.of("Message-ID", "Date", "To", "Reply-To", "In-Reply-To", "Content-Type");
  private static final Pattern DATE =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z", Pattern.DOTALL);

  private Entity() {}

  static byte[] write(Content content) {
    Header header = content.header();
    StringBuilder head = new StringBuilder(256);
    line(head, "Message-ID", "<" + header.id() + ">");
    line(head, "Date", DateTimeFormatter.ISO_INSTANT.format(header.date()));
    line(head, "To", header.to());
    if (header.replyTo() != null) {
      line(head, "Reply-To", header.replyTo());
    }
    if (header.inReplyTo() != null) {
      line(head, "In-Reply-To", "<" + header.inReplyTo() + ">");
    }
    line(head, "Content-Type", JSON);
    byte[] start = head.append("\r\n").toString().getBytes(ISO_8859_1);
    byte[] entity = Arrays.copyOf(start, start.length + content.body().length);
    System.arraycopy(content.body(), 0, entity, start.length, content.body().length);
    return entity;
  }

  private static void line(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }

  static Content read(byte[] entity) throws ProtectionException {
    String start = new String(entity, 0, Math.min(entity.length, MAX_HEAD), ISO_8859_1);
    int end = start.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new ProtectionException(Fault.MALFORMED);
    }
    Map<String, String> fields = fields(start.substring(0, end));
    if (!JSON.equals(fields.get("Content-Type"))) {
      throw new ProtectionException(Fault.MALFORMED);
    }
    try {
      String inReplyTo = fields.get("In-Reply-To");
      Header header =
          new Header(
              id(required(fields, "Message-ID")),
              date(required(fields, "Date")),
              required(fields, "To"),
              fields.get("Reply-To"),
              inReplyTo == null ? null : id(inReplyTo));
      return new Content(header, Arrays.copyOfRange(entity, end + 4, entity.length));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new ProtectionException(Fault.MALFORMED);
    }
  }

  /** Each line is a known field, which comes once; there is no folding. */
  private static Map<String, String> fields(String head) throws ProtectionException {
    Map<String, String> fields = new HashMap<>();
    for (String line : head.split("\r\n", -1)) {
      int colon = line.indexOf(": ");
      String name = line.substring(0, Math.max(colon, 0));
      if (!FIELDS.contains(name) || fields.put(name, line.substring(colon + 2)) != null) {
        throw new ProtectionException(Fault.MALFORMED);
      }
    }
    return fields;
  }

  private static String required(Map<String, String> fields, String name)
      throws ProtectionException {
    @Nullable String value = fields.get(name);
    if (value == null) {
      throw new ProtectionException(Fault.MALFORMED);
    }
    return value;
  }

  private static String id(String value) throws ProtectionException {
    if (!value.startsWith("<") || !value.endsWith(">")) {
      throw new ProtectionException(Fault.MALFORMED);
    }
    return value.substring(1, value.length() - 1);
  }

  private static Instant date(String value) throws ProtectionException {
    if (!DATE.matcher(value).matches()) {
      throw new ProtectionException(Fault.MALFORMED);
    }
    return Instant.parse(value);
  }
}
