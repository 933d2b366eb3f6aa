package org.keywell.jms;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.keywell.json.ActResponse;
import org.keywell.json.SignResponse;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.SignService;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a caller is sent.
 *
 * @param type the message's JMSType: {@link #SIGNED}, {@link #ACT} or {@link #PROBLEM}
 * @param json the body
 * @param result in one word, for metrics: {@code signed}, {@code act}, or the problem's label
 */
record Answer(String type, String json, String result) {

  static final String SIGNED = "SignResponse";
  static final String ACT = "Act";
  static final String PROBLEM = "Problem";

  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * Renders an act as it stands.
   *
   * @param mapper as for HTTP
   */
  static Answer ofAct(SignRecord record, JsonMapper mapper) {
    return new Answer(ACT, mapper.writeValueAsString(ActResponse.of(record)), "act");
  }

  /**
   * Renders the end of a request.
   *
   * @param mapper as for HTTP
   */
  static Answer of(SignRecord record, JsonMapper mapper) {
    return switch (record.outcome()) {
      case SignOutcome.Signed signed ->
          new Answer(SIGNED, mapper.writeValueAsString(SignResponse.of(record, signed)), "signed");
      case SignOutcome.Failed failed ->
          problem(
              failed.reason().label(),
              "request %s: %s"
                  .formatted(
                      record.requestId(),
                      Objects.requireNonNullElse(failed.detail(), failed.reason().label())));
      case SignOutcome.Expired expired when expired.issued() != null ->
          problem(
              "act-expired",
              "act %s was not signed within its time to live; open a new one"
                  .formatted(record.requestId()));
      case SignOutcome.Expired _ ->
          problem(
              "deadline",
              "request %s waited past its deadline and was not signed; retry with a new id"
                  .formatted(record.requestId()));
      case SignOutcome.Cancelled _ ->
          problem("act-cancelled", "act %s was cancelled".formatted(record.requestId()));
      case SignOutcome.Opened _ -> throw SignService.inProgress();
      case null -> throw SignService.inProgress();
    };
  }

  static Answer of(Refusal refusal) {
    return problem(
        refusal.reason().label(), refusal.detail(), refusal.retryAfter(), refusal.heldBy());
  }

  /**
   * Renders a problem as RFC 9457 has it, without a status, which is HTTP's.
   *
   * @param label as in problems over HTTP
   */
  static Answer problem(String label, String detail) {
    return problem(label, detail, null, null);
  }

  private static Answer problem(
      String label, String detail, @Nullable Duration retryAfter, @Nullable String heldBy) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", "urn:keywell:problem:" + label);
    members.put("detail", detail);
    if (retryAfter != null) {
      members.put("retryAfterSeconds", Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds()));
    }
    if (heldBy != null) {
      members.put("heldBy", heldBy);
    }
    return new Answer(PROBLEM, JSON.writeValueAsString(members), label);
  }
}
