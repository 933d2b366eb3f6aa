package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /sign}: one act, in one call. What is null is left to the service's
 * defaults. {@link #of(Digest)} builds one.
 *
 * @param requestId a UUID; sending the same one again gets the first one's result, never a second
 *     signature
 * @param digestAlgorithm such as {@code SHA-256}
 * @param digest the digest of what is signed, base64 in JSON; null if there are {@code digests}
 * @param digests of all that is signed, by one key under one certificate; null if there is {@code
 *     digest}
 * @param container what the service puts each signature into; null for bare signatures
 * @param signatureAlgorithm such as {@code RSASSA-PSS}
 * @param keySpec such as {@code RSA-2048}
 * @param profile the certificate's, such as {@code short-lived}
 * @param signer who signs; null if the proof says all of it
 * @param identityProof a ticket of an identity provider; null where the caller vouches
 * @param deadlineMillis how long the answer is of use, in milliseconds from its arrival at the
 *     service
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SignRequest(
    @Nullable String requestId,
    String digestAlgorithm,
    byte @Nullable [] digest,
    @Nullable List<byte[]> digests,
    @Nullable String container,
    @Nullable String signatureAlgorithm,
    @Nullable String keySpec,
    @Nullable String profile,
    @Nullable Signer signer,
    @Nullable IdentityProof identityProof,
    @Nullable Long deadlineMillis) {

  /** Refuses what no service can know what to do with. */
  public SignRequest {
    if ((digest == null) == (digests == null)) {
      throw new IllegalArgumentException("a request has either digest or digests");
    }
    digests = digests == null ? null : List.copyOf(digests);
  }

  /** A request for a bare signature over one digest, by a caller that vouches for the signer. */
  public SignRequest(
      @Nullable String requestId,
      String digestAlgorithm,
      byte[] digest,
      @Nullable String signatureAlgorithm,
      @Nullable String keySpec,
      @Nullable String profile,
      @Nullable Signer signer,
      @Nullable Long deadlineMillis) {
    this(
        requestId,
        digestAlgorithm,
        digest,
        null,
        null,
        signatureAlgorithm,
        keySpec,
        profile,
        signer,
        null,
        deadlineMillis);
  }

  /** Begins a request over digests of that kind. */
  public static SignRequestBuilder of(Digest algorithm) {
    return new SignRequestBuilder(algorithm);
  }

  /** The same request under an id. */
  SignRequest withId(String id) {
    return new SignRequest(
        id,
        digestAlgorithm,
        digest,
        digests,
        container,
        signatureAlgorithm,
        keySpec,
        profile,
        signer,
        identityProof,
        deadlineMillis);
  }
}
