package org.keywell.signing.request;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.Subject;
import org.keywell.identity.ProvenIdentity;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.signing.caller.Caller;

/**
 * A validated request for an act of signing: one caller, one signer, one proof of identity, one
 * key, one certificate and the stated number of digests.
 *
 * @param fingerprint SHA-256 over all that the answer depends on; equal for a repetition
 * @param digests what to sign, at least one; empty in two calls, where the second brings them
 * @param deadline from receipt to signature
 * @param profile the certificate profile, one that the caller may request
 * @param identity what an identity provider attests about the signer; null if the caller vouches
 * @param caller the sender
 * @param testId names the experiment that the request belongs to (thesis Table 3-2)
 */
public record SignRequest(
    UUID requestId,
    byte[] fingerprint,
    SigningForm form,
    DigestAlgorithm digestAlgorithm,
    List<byte[]> digests,
    SignatureScheme scheme,
    KeySpec keySpec,
    Subject subject,
    String profile,
    @Nullable ProvenIdentity identity,
    Duration deadline,
    Caller caller,
    @Nullable String testId) {

  /** The field for a request's id in structured logs, from the Elastic Common Schema. */
  public static final String ID_IN_LOGS = "http.request.id";

  public SignRequest {
    digests = List.copyOf(digests);
  }

  /**
   * Returns the same act in two calls, with the digests that the second one brings.
   *
   * @param within from the first call's receipt to the signatures
   */
  public SignRequest completedBy(List<byte[]> digests, Duration within) {
    return new SignRequest(
        requestId,
        fingerprint,
        form,
        digestAlgorithm,
        digests,
        scheme,
        keySpec,
        subject,
        profile,
        identity,
        within,
        caller,
        testId);
  }

  /**
   * Returns the reference to the signer on record, regardless of the outcome: the requested
   * identifier, or the common name if there is none. Personal data.
   */
  public String signerReference() {
    String serialNumber = subject.serialNumber();
    return serialNumber == null ? subject.commonName() : serialNumber;
  }
}
