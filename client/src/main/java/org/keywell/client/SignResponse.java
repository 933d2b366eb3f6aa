package org.keywell.client;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The body of a successful answer to {@code POST /sign}.
 *
 * @param signature the raw signature of the first digest; for ECDSA a DER {@code Ecdsa-Sig-Value}
 * @param signatures of all digests, in their order
 * @param containers each signature in a detached {@code SignedData}, DER, if a container was
 *     requested; otherwise empty
 * @param certificateChain DER certificates: the one-time certificate, its issuer, the root
 * @param preGeneratedKeyPair false if the pool was empty and the key was generated for this request
 * @param waitingTimeMicros time in the queue, in microseconds
 * @param processTimeMicros time from leaving the queue to the end, in microseconds
 * @param logIndex where the service's log has the end of the request; null in each first answer,
 *     and until the log has it
 */
public record SignResponse(
    String requestId,
    byte[] signature,
    List<byte[]> signatures,
    List<byte[]> containers,
    String signatureAlgorithm,
    List<byte[]> certificateChain,
    boolean preGeneratedKeyPair,
    Timestamps timestamps,
    long waitingTimeMicros,
    long processTimeMicros,
    @Nullable Long logIndex) {

  /** Refuses an answer that lacks required members; JSON can omit anything. */
  public SignResponse {
    Objects.requireNonNull(requestId, "requestId");
    Objects.requireNonNull(signature, "signature");
    Objects.requireNonNull(signatureAlgorithm, "signatureAlgorithm");
    Objects.requireNonNull(timestamps, "timestamps");
    signatures = signatures == null ? List.of(signature) : List.copyOf(signatures);
    containers = containers == null ? List.of() : List.copyOf(containers);
    certificateChain = List.copyOf(certificateChain);
  }

  /** Creates the answer to a request with one digest and without a container. */
  public SignResponse(
      String requestId,
      byte[] signature,
      String signatureAlgorithm,
      List<byte[]> certificateChain,
      boolean preGeneratedKeyPair,
      Timestamps timestamps,
      long waitingTimeMicros,
      long processTimeMicros) {
    this(
        requestId,
        signature,
        List.of(signature),
        List.of(),
        signatureAlgorithm,
        certificateChain,
        preGeneratedKeyPair,
        timestamps,
        waitingTimeMicros,
        processTimeMicros,
        null);
  }

  /** When the service reached each stage; null for a stage that it does not report. */
  public record Timestamps(
      @Nullable Instant requestReceived,
      @Nullable Instant requestStartToProcess,
      @Nullable Instant requestGotKeyPair,
      @Nullable Instant signed,
      @Nullable Instant certified,
      @Nullable Instant keyDestroyed,
      @Nullable Instant requestFinished) {}
}
