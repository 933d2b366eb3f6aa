package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /acts}: asks for a certificate now, for digests that come later. What is
 * null is left to the service's defaults. {@link #of(Digest, int)} builds one.
 *
 * @param actId a UUID; sending the same one again gets the same act, never a second one
 * @param digestAlgorithm such as {@code SHA-256}
 * @param digestCount how many digests the act will sign
 * @param signatureAlgorithm such as {@code RSASSA-PSS}
 * @param keySpec such as {@code RSA-2048}
 * @param profile the certificate's, such as {@code short-lived}
 * @param signer who signs; null if the proof says all of it
 * @param identityProof a ticket of an identity provider; null where the caller vouches
 * @param timeToLiveSeconds how long the act stays open
 * @param deadlineMillis how long the certificate is of use, in milliseconds from its request's
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

  /** Begins a request for an act over so many digests of that kind. */
  public static ActRequestBuilder of(Digest algorithm, int digestCount) {
    return new ActRequestBuilder(algorithm, digestCount);
  }

  /** The same request under an id. */
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
