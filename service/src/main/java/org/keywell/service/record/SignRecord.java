package org.keywell.service.record;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.RequestTimes.Stage;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;
import org.keywell.service.request.SigningForm;

/**
 * A request as it is on record.
 *
 * @param fingerprint see {@link SignRequest}
 * @param caller whose request it is; see there, too
 * @param times the stages that were reached
 * @param outcome null while it is not known
 * @param act null of a request in one call
 * @param keyGoneLater when it was known that the key was gone, if its destruction, as the outcome
 *     has it, did not do that; null if it did, or nobody knows yet
 */
public record SignRecord(
    UUID requestId,
    byte[] fingerprint,
    String caller,
    String digestAlgorithm,
    String signatureAlgorithm,
    SigningForm form,
    Map<Stage, Instant> times,
    @Nullable SignOutcome outcome,
    @Nullable Instant keyGoneLater,
    @Nullable ActRecord act) {

  /** The record of a request that was just written, without reading it back. */
  public static SignRecord of(SignRequest request, RequestTimes times, SignOutcome outcome) {
    return new SignRecord(
        request.requestId(),
        request.fingerprint(),
        request.caller().name(),
        request.digestAlgorithm().label(),
        request.scheme().label(),
        request.form(),
        times.reached(),
        outcome,
        null,
        null);
  }

  /** The same, of an act in two calls. */
  public SignRecord as(ActRecord act) {
    return new SignRecord(
        requestId,
        fingerprint,
        caller,
        digestAlgorithm,
        signatureAlgorithm,
        form,
        times,
        outcome,
        keyGoneLater,
        act);
  }
}
