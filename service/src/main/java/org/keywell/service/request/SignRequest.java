package org.keywell.service.request;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.Subject;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.service.caller.Caller;
import org.keywell.service.identity.ProvenIdentity;

/**
 * An act of signing that was asked for, and passed validation: one caller, one signer, one proof of
 * identity, one key, one certificate, and as many digests as are stated.
 *
 * @param fingerprint SHA-256 over all that the answer depends on; equal for a repeated request
 * @param digests what is to be signed, at least one; empty in two calls, where the second one has
 *     them
 * @param deadline from receipt to signature
 * @param profile the certificate profile, one that the caller may ask for
 * @param identity what an identity provider attests of the signer; null if the caller vouches
 * @param caller who asked
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

  /** The name of a request's id in structured logs, a field of the Elastic Common Schema. */
  public static final String ID_IN_LOGS = "http.request.id";

  public SignRequest {
    digests = List.copyOf(digests);
  }

  /**
   * The same act in two calls, with what the second one brings.
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
   * Names the signer on record, whatever becomes of the request: by the identifier that is asked
   * for, or by the name where there is none. Personal data.
   */
  public String signerReference() {
    String serialNumber = subject.serialNumber();
    return serialNumber == null ? subject.commonName() : serialNumber;
  }
}
