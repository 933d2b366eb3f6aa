package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /acts}: requests a certificate now, for digests that follow. The service
 * applies its defaults to null components. Use {@link #of(Digest, int)} to build one.
 *
 * @param actId a UUID; a repetition with the same id returns the same act, never a second one
 * @param digestAlgorithm such as {@code SHA-256}
 * @param digestCount how many digests the act will sign
 * @param signatureAlgorithm such as {@code RSASSA-PSS}
 * @param keySpec such as {@code RSA-2048}
 * @param profile the certificate's, such as {@code short-lived}
 * @param signer who signs; null if the proof identifies the signer completely
 * @param identityProof an identity provider's ticket; null if the caller vouches for the signer
 * @param timeToLiveSeconds how long the act stays open
 * @param deadlineMillis how long the certificate is useful, in milliseconds from the request's
 *     arrival at the service
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ActRequest(
    @Nullable String actId,
    String digestAlgorithm,
    int digestCount,
    @Nullable String signatureAlgorithm,
    @Nullable String keySpec,
    @Nullable String profile,
    @Nullable Signer signer,
    @Nullable IdentityProof identityProof,
    @Nullable Integer timeToLiveSeconds,
    @Nullable Long deadlineMillis) {

  /** Starts a request for an act over {@code digestCount} digests. */
  public static ActRequestBuilder of(Digest algorithm, int digestCount) {
    return new ActRequestBuilder(algorithm, digestCount);
  }

  ActRequest withId(String id) {
    return new ActRequest(
        id,
        digestAlgorithm,
        digestCount,
        signatureAlgorithm,
        keySpec,
        profile,
        signer,
        identityProof,
        timeToLiveSeconds,
        deadlineMillis);
  }
}
