package org.keywell.service.identity;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The request that a ticket is to prove the signer of.
 *
 * @param now the time by which the ticket has to be valid
 * @param digestAlgorithm its name in requests, such as {@code SHA-256}
 * @param digests what is to be signed; empty while that is not known
 * @param inResponseTo the id of the request to the identity provider that the ticket answers, as
 *     the caller has it; null if it does not say
 */
public record ProofContext(
    Instant now,
    UUID requestId,
    String digestAlgorithm,
    List<byte[]> digests,
    @Nullable String inResponseTo) {

  /** For tickets that answer no request of the caller's. */
  public ProofContext(Instant now, UUID requestId, String digestAlgorithm, List<byte[]> digests) {
    this(now, requestId, digestAlgorithm, digests, null);
  }
}
