package org.keywell.service.request;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.Subject;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;

/**
 * A request that passed validation.
 *
 * @param fingerprint SHA-256 over all that the answer depends on; equal for a repeated request
 * @param deadline from receipt to signature
 * @param caller who asked, as far as the transport proves it
 * @param testId names the experiment that the request belongs to (thesis Table 3-2)
 */
public record SignRequest(
    UUID requestId,
    byte[] fingerprint,
    DigestAlgorithm digestAlgorithm,
    byte[] digest,
    SignatureScheme scheme,
    KeySpec keySpec,
    Subject subject,
    Duration deadline,
    String caller,
    @Nullable String testId) {

  /** The name of a request's id in structured logs, a field of the Elastic Common Schema. */
  public static final String ID_IN_LOGS = "http.request.id";
}
