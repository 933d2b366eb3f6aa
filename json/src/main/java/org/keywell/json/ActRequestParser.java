package org.keywell.json;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.settings.ActProperties;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;

/** Validates the two calls of an act. Thread-safe. */
public final class ActRequestParser {

  private final SignRequestParser parser;
  private final ActProperties properties;

  /**
   * @param parser for the fields that an act shares with a request in one call
   */
  public ActRequestParser(SignRequestParser parser, ActProperties properties) {
    this.parser = parser;
    this.properties = properties;
  }

  /**
   * Returns the act that the first call requests.
   *
   * @throws RefusedException if a field is invalid; the detail names it
   */
  public SignRequest parse(ActRequestBody body, Caller caller, @Nullable String testId) {
    if (body.actId() != null) {
      SignRequestParser.uuid(body.actId(), "actId");
    }
    int digests = SignRequestParser.required(body.digestCount(), "digestCount");
    return parser.parse(
        new SignRequestBody(
            body.actId(),
            body.digestAlgorithm(),
            null,
            null,
            null,
            body.signatureAlgorithm(),
            body.keySpec(),
            body.profile(),
            body.signer(),
            body.identityProof(),
            body.deadlineMillis()),
        new SigningForm.InTwoCalls(digests, timeToLive(body.timeToLiveSeconds())),
        caller,
        testId);
  }

  private Duration timeToLive(@Nullable Integer seconds) {
    if (seconds == null) {
      return properties.defaultTimeToLive();
    }
    long max = properties.maxTimeToLive().toSeconds();
    if (seconds < 1 || seconds > max) {
      throw new RefusedException(
          Reason.BAD_TIME_TO_LIVE,
          "timeToLiveSeconds is %d; keywell.acts.max-time-to-live allows 1 to %d"
              .formatted(seconds, max));
    }
    return Duration.ofSeconds(seconds);
  }

  /**
   * Returns the digests of the second call.
   *
   * @param stated how many the act was opened for
   * @throws RefusedException if they do not match what the act has stated
   */
  public static List<byte[]> digests(DigestsBody body, DigestAlgorithm algorithm, int stated) {
    List<@Nullable String> texts = SignRequestParser.required(body.digests(), "digests");
    if (texts.size() != stated) {
      throw new RefusedException(
          Reason.DIGEST_COUNT,
          "digests has %d entries; the act was opened for %d".formatted(texts.size(), stated));
    }
    List<byte[]> digests = new ArrayList<>(stated);
    for (int i = 0; i < stated; i++) {
      String field = "digests[" + i + "]";
      String text = SignRequestParser.required(texts.get(i), field);
      digests.add(SignRequestParser.digest(text, algorithm, field));
    }
    return digests;
  }
}
