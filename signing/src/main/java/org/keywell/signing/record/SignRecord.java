package org.keywell.signing.record;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;

/**
 * A request as recorded.
 *
 * @param fingerprint see {@link SignRequest}
 * @param caller the name of its caller
 * @param times the stages reached
 * @param outcome null until known
 * @param act null for a request in one call
 * @param keyGoneLater when the key was found gone, if the destruction in the outcome failed; null
 *     if that succeeded, or the key is not known to be gone
 * @param logIndex of the log's entry about its end; null if it is not known to have a signed place
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
    @Nullable ActRecord act,
    @Nullable Long logIndex) {

  /** Returns the record of a request just written, without reading it back. */
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
        null,
        null);
  }

  /** Whether its outcome is final. */
  public boolean hasEnded() {
    return outcome != null && !(outcome instanceof SignOutcome.Opened);
  }

  /** Returns a copy for an act in two calls. */
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
        act,
        logIndex);
  }

  /** Returns a copy with its place in the log. */
  public SignRecord at(@Nullable Long index) {
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
        act,
        index);
  }
}
