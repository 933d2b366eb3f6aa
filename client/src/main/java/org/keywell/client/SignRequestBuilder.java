package org.keywell.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a {@link SignRequest}; the service has defaults for omitted values. Not thread-safe. */
public final class SignRequestBuilder {
  private final Digest algorithm;
  private final List<byte[]> digests = new ArrayList<>();
  private @Nullable String requestId;
  private @Nullable Container container;
  private @Nullable String signatureAlgorithm;
  private @Nullable String keySpec;
  private @Nullable String profile;
  private @Nullable Signer signer;
  private @Nullable IdentityProof identityProof;
  private @Nullable Long deadlineMillis;

  SignRequestBuilder(Digest algorithm) {
    this.algorithm = algorithm;
  }

  /** Adds a digest to sign; at least one is required. The same key signs all of them. */
  public SignRequestBuilder digest(byte[] digest) {
    digests.add(digest.clone());
    return this;
  }

  /** Sets who signs; may be omitted if the proof of identity includes it. */
  public SignRequestBuilder signer(Signer who) {
    signer = who;
    return this;
  }

  /** Sets an identity provider's ticket, which serves one request. */
  public SignRequestBuilder identityProof(IdentityProof ticket) {
    identityProof = ticket;
    return this;
  }

  /** Makes the service return each signature in a detached CMS. */
  public SignRequestBuilder container(Container form) {
    container = form;
    return this;
  }

  /** Sets the id, a UUID; without one, a client that retries generates one. */
  public SignRequestBuilder requestId(String uuid) {
    requestId = uuid;
    return this;
  }

  /** Sets the signature algorithm, such as {@code RSASSA-PSS}. */
  public SignRequestBuilder signatureAlgorithm(String name) {
    signatureAlgorithm = name;
    return this;
  }

  /** Sets the kind of key, such as {@code EC-P256}. */
  public SignRequestBuilder keySpec(String name) {
    keySpec = name;
    return this;
  }

  /** Sets the certificate's profile, such as {@code short-lived}. */
  public SignRequestBuilder profile(String name) {
    profile = name;
    return this;
  }

  /** Sets how long the answer is useful, from the request's arrival at the service. */
  public SignRequestBuilder deadline(Duration afterArrival) {
    deadlineMillis = afterArrival.toMillis();
    return this;
  }

  /**
   * Builds the request.
   *
   * @throws IllegalStateException if there is no digest, or neither signer nor proof of identity
   */
  public SignRequest build() {
    if (digests.isEmpty()) {
      throw new IllegalStateException("a request needs a digest");
    }
    if (signer == null && identityProof == null) {
      throw new IllegalStateException("a request needs a signer, a proof of identity, or both");
    }
    boolean one = digests.size() == 1;
    return new SignRequest(
        requestId,
        algorithm.label(),
        one ? digests.get(0) : null,
        one ? null : digests,
        container == null ? null : container.label(),
        signatureAlgorithm,
        keySpec,
        profile,
        signer,
        identityProof,
        deadlineMillis);
  }
}
