package org.keywell.client;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code POST /acts}: an act of signing with a certified key.
 *
 * @param status {@code open}, or how it ended: {@code signed}
 * @param instance the service instance that holds its key
 * @param expires when its key is destroyed if it has not signed
 * @param digestCount how many digests it signs
 * @param certificateChain DER certificates: the one-time certificate, its issuer, the root
 * @param logIndex where the service's log has the end of the act; null until it has
 */
public record Act(
    String actId,
    String status,
    @Nullable String instance,
    @Nullable Instant expires,
    int digestCount,
    String digestAlgorithm,
    String signatureAlgorithm,
    List<byte[]> certificateChain,
    @Nullable Long logIndex) {

  /** Refuses an answer that lacks required members; JSON can omit anything. */
  public Act {
    Objects.requireNonNull(actId, "actId");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(digestAlgorithm, "digestAlgorithm");
    Objects.requireNonNull(signatureAlgorithm, "signatureAlgorithm");
    certificateChain = List.copyOf(certificateChain);
  }
}
