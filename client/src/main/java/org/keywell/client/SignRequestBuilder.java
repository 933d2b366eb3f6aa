package org.keywell.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a {@link SignRequest}. What is not said is the service's to decide. For one thread. */
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

  /** One more digest to be signed; at least one is needed. All are signed by the same key. */
  public SignRequestBuilder digest(byte[] digest) {
    digests.add(digest.clone());
    return this;
  }

  /** Who signs; may be left out if the proof of identity says it. */
  public SignRequestBuilder signer(Signer who) {
    signer = who;
    return this;
  }

  /** A ticket of an identity provider, which serves one request. */
  public SignRequestBuilder identityProof(IdentityProof ticket) {
    identityProof = ticket;
    return this;
  }

  /** Has the service make a detached CMS of each signature. */
  public SignRequestBuilder container(Container form) {
    container = form;
    return this;
  }

  /** A UUID; without one, a client that retries makes one. */
  public SignRequestBuilder requestId(String uuid) {
    requestId = uuid;
    return this;
  }

  /** Such as {@code RSASSA-PSS}. */
  public SignRequestBuilder signatureAlgorithm(String name) {
    signatureAlgorithm = name;
    return this;
  }

  /** Such as {@code EC-P256}. */
  public SignRequestBuilder keySpec(String name) {
    keySpec = name;
    return this;
  }

  /** The certificate's profile, such as {@code short-lived}. */
  public SignRequestBuilder profile(String name) {
    profile = name;
    return this;
  }

  /** How long the answer is of use, from the request's arrival at the service. */
  public SignRequestBuilder deadline(Duration afterArrival) {
    deadlineMillis = afterArrival.toMillis();
    return this;
  }

  /**
   * Builds it.
   *
   * @throws IllegalStateException if there is no digest, or nobody who signs
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
