package org.keywell.service.identity;

import java.time.Instant;
import java.util.UUID;

/**
 * The request that a ticket is to prove the signer of.
 *
 * @param now the time by which the ticket has to be valid
 * @param digestAlgorithm its name in requests, such as {@code SHA-256}
 */
public record ProofContext(Instant now, UUID requestId, String digestAlgorithm, byte[] digest) {}
