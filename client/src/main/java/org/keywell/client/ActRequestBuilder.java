package org.keywell.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Builds an {@link ActRequest}. What is not said is the service's to decide. For one thread. */
public final class ActRequestBuilder {
  private final Digest algorithm;
  private final int digestCount;
  private @Nullable String actId;
  private @Nullable String signatureAlgorithm;
  private @Nullable String keySpec;
  private @Nullable String profile;
  private @Nullable Signer signer;
  private @Nullable IdentityProof identityProof;
  private @Nullable Integer timeToLiveSeconds;
  private @Nullable Long deadlineMillis;

  ActRequestBuilder(Digest algorithm, int digestCount) {
    if (digestCount < 1) {
      throw new IllegalArgumentException("an act signs one digest or more");
    }
    this.algorithm = algorithm;
    this.digestCount = digestCount;
  }

  /** Who signs; may be left out if the proof of identity says it. */
  public ActRequestBuilder signer(Signer who) {
    signer = who;
    return this;
  }

  /** A ticket of an identity provider, which serves one act. */
  public ActRequestBuilder identityProof(IdentityProof ticket) {
    identityProof = ticket;
    return this;
  }

  /** A UUID; without one, a client that retries makes one. */
  public ActRequestBuilder actId(String uuid) {
    actId = uuid;
    return this;
  }

  /** Such as {@code RSASSA-PSS}. */
  public ActRequestBuilder signatureAlgorithm(String name) {
    signatureAlgorithm = name;
    return this;
  }

  /** Such as {@code EC-P256}. */
  public ActRequestBuilder keySpec(String name) {
    keySpec = name;
    return this;
  }

  /** The certificate's profile, such as {@code short-lived}. */
  public ActRequestBuilder profile(String name) {
    profile = name;
    return this;
  }

  /** How long the act stays open for its digests, in whole seconds. */
  public ActRequestBuilder timeToLive(Duration afterOpening) {
    timeToLiveSeconds = Math.toIntExact(afterOpening.toSeconds());
    return this;
  }

  /** How long the certificate is of use, from the request's arrival at the service. */
  public ActRequestBuilder deadline(Duration afterArrival) {
    deadlineMillis = afterArrival.toMillis();
    return this;
  }

  /**
   * Builds it.
   *
   * @throws IllegalStateException if there is nobody who signs
   */
  public ActRequest build() {
    if (signer == null && identityProof == null) {
      throw new IllegalStateException("an act needs a signer, a proof of identity, or both");
    }
    return new ActRequest(
        actId,
        algorithm.label(),
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
