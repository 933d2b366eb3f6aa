package org.keywell.service.reapply;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.tlog.LogFormatException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An entry of the log about something that was ended, or begun again, and must stay so. */
sealed interface LoggedEnd {

  /**
   * The revocation of a certificate.
   *
   * @param by the caller's name
   */
  record Revoked(CrlShard list, Revocation revocation, String by) implements LoggedEnd {
    @Override
    public String text() {
      return "revocation of %s in %s (%s), %s"
          .formatted(
              revocation.serial().toString(HEX),
              list.path(),
              revocation.reason().label(),
              revocation.at());
    }
  }

  /**
   * A command about a key of the external key store.
   *
   * @param command such as {@code xks disable}
   * @param usage what the key may do from then on; empty if the entry does not tell
   */
  record OfXksKey(String command, String key, String usage, Instant at) implements LoggedEnd {
    @Override
    public String text() {
      return "%s %s%s, %s".formatted(command, key, usage.isEmpty() ? "" : " " + usage, at);
    }
  }

  /** What a client did to a managed object: {@code Revoke} or {@code Destroy}. */
  record OfObject(String operation, UUID object, String owner, Instant at) implements LoggedEnd {
    @Override
    public String text() {
      return "KMIP %s of %s by %s, %s".formatted(operation, object, owner, at);
    }
  }

  int HEX = 16;
  String XKS = "xks ";
  JsonMapper JSON = JsonMapper.builder().build();

  /** Returns it in words for the operator. */
  String text();

  /**
   * Reads an entry.
   *
   * @return empty if it is about something else
   * @throws LogFormatException if it is malformed
   */
  static Optional<LoggedEnd> of(long index, byte[] entry) {
    String text = new String(entry, StandardCharsets.UTF_8);
    if (!text.contains("\"revocation\"")
        && !text.contains("\"command\":\"" + XKS)
        && !text.contains("\"managed-object\"")) {
      return Optional.empty();
    }
    try {
      JsonNode json = JSON.readTree(entry);
      return switch (json.path("type").asString("")) {
        case "revocation" -> Optional.of(revoked(json));
        case "command" -> xks(json);
        case "managed-object" -> object(json);
        default -> Optional.empty();
      };
    } catch (JacksonException | DateTimeException | IllegalArgumentException e) {
      throw new LogFormatException("entry %d: %s".formatted(index, e.getMessage()), e);
    }
  }

  private static LoggedEnd revoked(JsonNode json) {
    return new Revoked(
        CrlShard.at(text(json, "list")).orElseThrow(() -> new IllegalArgumentException("list")),
        new Revocation(
            new BigInteger(text(json, "serial"), HEX),
            at(json),
            RevocationReason.labelled(text(json, "reason"))
                .orElseThrow(() -> new IllegalArgumentException("reason"))),
        text(json, "caller"));
  }

  private static Optional<LoggedEnd> xks(JsonNode json) {
    String command = text(json, "command");
    return switch (command) {
      case "xks create-key", "xks enable", "xks disable", "xks restrict", "xks destroy" ->
          Optional.of(
              new OfXksKey(
                  command,
                  json.path("made").path(0).asString(""),
                  json.path("made").path(1).asString(""),
                  at(json)));
      default -> Optional.empty();
    };
  }

  private static Optional<LoggedEnd> object(JsonNode json) {
    String operation = text(json, "operation");
    return operation.equals("Revoke") || operation.equals("Destroy")
        ? Optional.of(
            new OfObject(
                operation, UUID.fromString(text(json, "object")), text(json, "caller"), at(json)))
        : Optional.empty();
  }

  private static Instant at(JsonNode json) {
    return Instant.parse(text(json, "at"));
  }

  private static String text(JsonNode json, String member) {
    String text = json.path(member).asString("");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("no " + member);
    }
    return text;
  }
}
