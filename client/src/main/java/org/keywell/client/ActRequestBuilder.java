package org.keywell.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Builds an {@link ActRequest}; the service has defaults for omitted values. Not thread-safe. */
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

  /** Sets who signs; may be omitted if the proof of identity includes it. */
  public ActRequestBuilder signer(Signer who) {
    signer = who;
    return this;
  }

  /** Sets an identity provider's ticket, which serves one act. */
  public ActRequestBuilder identityProof(IdentityProof ticket) {
    identityProof = ticket;
    return this;
  }

  /** Sets the id, a UUID; without one, a client that retries generates one. */
  public ActRequestBuilder actId(String uuid) {
    actId = uuid;
    return this;
  }

  /** Sets the signature algorithm, such as {@code RSASSA-PSS}. */
  public ActRequestBuilder signatureAlgorithm(String name) {
    signatureAlgorithm = name;
    return this;
  }

  /** Sets the kind of key, such as {@code EC-P256}. */
  public ActRequestBuilder keySpec(String name) {
    keySpec = name;
    return this;
  }

  /** Sets the certificate's profile, such as {@code short-lived}. */
  public ActRequestBuilder profile(String name) {
    profile = name;
    return this;
  }

  /** Sets how long the act stays open for its digests, in whole seconds. */
  public ActRequestBuilder timeToLive(Duration afterOpening) {
    timeToLiveSeconds = Math.toIntExact(afterOpening.toSeconds());
    return this;
  }

  /** Sets how long the certificate is useful, from the request's arrival at the service. */
  public ActRequestBuilder deadline(Duration afterArrival) {
    deadlineMillis = afterArrival.toMillis();
    return this;
  }

  /**
   * Builds the request.
   *
   * @throws IllegalStateException if there is neither a signer nor a proof of identity
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
