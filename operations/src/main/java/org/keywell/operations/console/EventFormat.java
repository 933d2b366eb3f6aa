package org.keywell.operations.console;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/** Formats server-sent events (WHATWG HTML, section 9.2) with JSON data. Thread-safe. */
final class EventFormat {

  private final JsonMapper json;

  EventFormat(JsonMapper json) {
    this.json = json;
  }

  /**
   * @param name a word
   */
  byte[] encode(String name, ConsoleEvent data) {
    // JSON as written here has no line breaks, which would end the data.
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    event.writeBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.UTF_8));
    event.writeBytes(json.writeValueAsBytes(data));
    event.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
    return event.toByteArray();
  }
}
