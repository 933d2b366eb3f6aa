package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /sign}: one act, in one call. The service applies its defaults to null
 * components. Use {@link #of(Digest)} to build one.
 *
 * @param requestId a UUID; a repetition with the same id returns the first one's result, never a
 *     second signature
 * @param digestAlgorithm such as {@code SHA-256}
 * @param digest the digest to sign, base64 in JSON; null if there are {@code digests}
 * @param digests several digests to sign, with one key under one certificate; null if there is
 *     {@code digest}
 * @param container the form in which the service returns each signature; null for bare signatures
 * @param signatureAlgorithm such as {@code RSASSA-PSS}
 * @param keySpec such as {@code RSA-2048}
 * @param profile the certificate's, such as {@code short-lived}
 * @param signer who signs; null if the proof identifies the signer completely
 * @param identityProof an identity provider's ticket; null if the caller vouches for the signer
 * @param deadlineMillis how long the answer is useful, in milliseconds from the request's arrival
 *     at the service
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

  /** Refuses a request that no service can process. */
  public SignRequest {
    if ((digest == null) == (digests == null)) {
      throw new IllegalArgumentException("a request has either digest or digests");
    }
    digests = digests == null ? null : List.copyOf(digests);
  }

  /** Creates a request for a bare signature over one digest; the caller vouches for the signer. */
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

  /** Starts a request over digests by the given hash function. */
  public static SignRequestBuilder of(Digest algorithm) {
    return new SignRequestBuilder(algorithm);
  }

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
