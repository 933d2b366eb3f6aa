package org.keywell.identity;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The request whose signer a ticket is to prove.
 *
 * @param now the time at which the ticket must be valid
 * @param digestAlgorithm its name in requests, such as {@code SHA-256}
 * @param digests the digests to sign; empty while not yet known
 * @param inResponseTo the id of the request to the identity provider that the ticket answers, as
 *     stated by the caller; null if not stated
 */
public record ProofContext(
    Instant now,
    UUID requestId,
    String digestAlgorithm,
    List<byte[]> digests,
    @Nullable String inResponseTo) {

  /** For tickets that answer no request by the caller. */
  public ProofContext(Instant now, UUID requestId, String digestAlgorithm, List<byte[]> digests) {
    this(now, requestId, digestAlgorithm, digests, null);
  }
}
