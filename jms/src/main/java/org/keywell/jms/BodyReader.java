package org.keywell.jms;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.keywell.json.MessageBody;
import org.keywell.json.UnreadableJson;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.Role;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads what a caller asks for, by the rules of HTTP. Thread-safe. */
final class BodyReader {

  private final int maxBytes;
  private final JsonMapper mapper;

  /**
   * @param maxBytes of JSON
   * @param mapper as for HTTP
   */
  BodyReader(int maxBytes, JsonMapper mapper) {
    this.maxBytes = maxBytes;
    this.mapper = mapper;
  }

  int maxBytes() {
    return maxBytes;
  }

  /** Returns the refusal of a caller who may not sign; null if it may. */
  static Incoming.@Nullable Refused refusal(Caller caller, Reply reply) {
    return caller.has(Role.SIGN)
        ? null
        : new Incoming.Refused(
            Answer.problem("role-missing", "the caller does not have the role sign"), reply);
  }

  Incoming read(@Nullable String body, String sender, Caller caller, Reply reply) {
    boolean isTooLarge =
        body != null
            && (body.length() > maxBytes
                || body.getBytes(StandardCharsets.UTF_8).length > maxBytes);
    return isTooLarge ? tooLarge(sender, reply) : parse(body, sender, caller, reply);
  }

  Incoming tooLarge(@Nullable String sender, @Nullable Reply reply) {
    return new Incoming.Poison(
        Fault.BODY_TOO_LARGE,
        sender,
        "the body is larger than keywell.sign.max-body: %s bytes".formatted(maxBytes),
        reply);
  }

  private Incoming parse(@Nullable String json, String sender, Caller caller, Reply reply) {
    Refusal refusal;
    try {
      @Nullable MessageBody body = json == null ? null : MessageBody.read(json, mapper);
      if (body != null && body.id() == null) {
        // The broker may deliver a message twice; without an id, it would be signed twice.
        refusal = new Refusal(Reason.MISSING_FIELD, "requestId or actId is required over a broker");
      } else if (body != null) {
        return new Incoming.Request(caller, body, reply);
      } else {
        refusal = UnreadableJson.refusal(null);
      }
    } catch (JacksonException e) {
      refusal = UnreadableJson.refusal(e);
    }
    return refusal.reason() == Reason.MALFORMED_JSON
        ? new Incoming.Poison(Fault.MALFORMED_JSON, sender, refusal.detail(), reply)
        : new Incoming.Refused(Answer.of(refusal), reply);
  }
}
