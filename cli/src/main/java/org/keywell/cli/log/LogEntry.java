package org.keywell.cli.log;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.keywell.tlog.LogFormatException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An entry of a service's log. Members that this version does not know are kept.
 *
 * @param index in the log, from 0
 */
public record LogEntry(long index, JsonNode content) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * Reads an entry.
   *
   * @throws LogFormatException if it is no JSON object
   */
  public static LogEntry parse(long index, byte[] entry) {
    try {
      JsonNode content = JSON.readTree(entry);
      if (content.isObject()) {
        return new LogEntry(index, content);
      }
      throw new LogFormatException("entry " + index + " is no JSON object");
    } catch (JacksonException e) {
      throw new LogFormatException("entry " + index + " is no JSON", e);
    }
  }

  /** Whether an entry may hold this text: much quicker than reading it. */
  static boolean mentions(byte[] entry, String text) {
    return new String(entry, StandardCharsets.UTF_8).contains(text);
  }

  /** Whether it tells of this request's end, or of what followed it. */
  public boolean isOfRequest(String requestId) {
    return requestId.equals(text("request").orElse(null));
  }

  /** Whether it tells of a move of this key. */
  public boolean isOfKey(long keyId) {
    for (JsonNode key : content.path("keys")) {
      if (key.isIntegralNumber() && key.longValue() == keyId) {
        return true;
      }
    }
    return false;
  }

  /** Returns the key that signed, if the entry is a request's end and there was one. */
  public OptionalLong keyId() {
    JsonNode key = content.path("keyId");
    return key.isIntegralNumber() ? OptionalLong.of(key.longValue()) : OptionalLong.empty();
  }

  /** Returns a member that is a string. */
  public Optional<String> text(String member) {
    return content.path(member).stringValueOpt();
  }

  /** Returns what it is, such as "request signed" or "keys claimed". */
  public String title() {
    String what = text("type").orElse("entry");
    if (what.equals("erased")) {
      return "signer's data erased";
    }
    return text("status").or(() -> text("move")).map(how -> what + " " + how).orElse(what);
  }

  /** Returns what the {@link #title} does not say, in the entry's order; of keys their number. */
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : content.properties()) {
      JsonNode value = member.getValue();
      switch (member.getKey()) {
        case "v", "type", "status", "move" -> {}
        case "keys" -> details.put("keys", String.valueOf(value.size()));
        default ->
            details.put(member.getKey(), value.isString() ? value.stringValue() : value.toString());
      }
    }
    return details;
  }
}
