package org.keywell.jms;

import java.util.UUID;
import org.keywell.json.ActCallBody;
import org.keywell.json.ActRequestBody;
import org.keywell.json.ActRequestParser;
import org.keywell.json.DigestsBody;
import org.keywell.json.SignRequestParser;
import org.keywell.signing.act.ActService;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import tools.jackson.databind.json.JsonMapper;

/** The second calls of acts, and how acts are answered. Thread-safe. */
final class ActCalls {

  /** Signs an act's digests; the core's. */
  @FunctionalInterface
  interface Sign {
    SignRecord of(UUID act, ActService.Digests digests, Caller caller, RequestTimes times)
        throws InterruptedException;
  }

  /** Ends an act that has not signed; the core's. */
  @FunctionalInterface
  interface Cancel {
    SignRecord of(UUID act, Caller caller) throws InterruptedException;
  }

  private final ActRequestParser parser;
  private final Sign sign;
  private final Cancel cancel;
  private final JsonMapper mapper;

  ActCalls(ActRequestParser parser, Sign sign, Cancel cancel, JsonMapper mapper) {
    this.parser = parser;
    this.sign = sign;
    this.cancel = cancel;
    this.mapper = mapper;
  }

  SignRequest parse(ActRequestBody body, Caller caller) {
    return parser.parse(body, caller, null);
  }

  /** Renders what a first call came to. */
  Answer opened(SignRecord record) {
    return switch (record.outcome()) {
      case SignOutcome.Opened _, SignOutcome.Signed _ -> Answer.ofAct(record, mapper);
      case null, default -> Answer.of(record, mapper);
    };
  }

  /**
   * Signs or cancels.
   *
   * @throws RefusedException if neither is done; the act stays open unless that says otherwise
   */
  Answer second(ActCallBody body, Caller caller, RequestTimes times) throws InterruptedException {
    UUID act = SignRequestParser.uuid(SignRequestParser.required(body.actId(), "actId"), "actId");
    if (body.cancel() == null) {
      ActService.Digests digests =
          (algorithm, stated) ->
              ActRequestParser.digests(new DigestsBody(body.digests()), algorithm, stated);
      return Answer.of(sign.of(act, digests, caller, times), mapper);
    }
    if (!body.cancel() || body.digests() != null) {
      throw new RefusedException(
          Reason.DIGEST_COUNT, "cancel is true, and without digests; or it is not there");
    }
    SignRecord record = cancel.of(act, caller);
    return switch (record.outcome()) {
      case SignOutcome.Cancelled _ -> Answer.ofAct(record, mapper);
      case SignOutcome.Signed _ ->
          throw new RefusedException(Reason.ACT_SIGNED, "act %s has already signed".formatted(act));
      case null, default -> Answer.of(record, mapper);
    };
  }
}
