package org.keywell.service.record;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.service.request.FailureReason;
import org.keywell.service.request.RequestTimes.Stage;

/**
 * A request as it is on record.
 *
 * @param fingerprint see {@link org.keywell.service.request.SignRequest}
 * @param caller whose request it is; see there, too
 * @param times the stages that were reached
 */
public record SignRecord(
    UUID requestId, byte[] fingerprint, String caller, Map<Stage, Instant> times, State state) {

  /** Where the request stands. */
  public sealed interface State {

    /** Accepted, and its outcome is not known yet. */
    record Received() implements State {}

    /**
     * Signed; the answer can be given again.
     *
     * @param certificateChain DER: the signer's certificate, the issuing CA's, up to the root's
     * @param preGenerated whether the key was made ahead of time
     */
    record Signed(
        String signatureAlgorithm,
        byte[] signature,
        List<byte[]> certificateChain,
        boolean preGenerated,
        long waitingTimeMicros,
        long processTimeMicros)
        implements State {}

    record Failed(FailureReason reason, @Nullable String detail) implements State {}

    record Expired() implements State {}
  }
}
