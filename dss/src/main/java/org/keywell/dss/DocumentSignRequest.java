package org.keywell.dss;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.client.ActRequest;
import org.keywell.client.Container;
import org.keywell.client.Digest;
import org.keywell.client.IdentityProof;
import org.keywell.client.SignRequest;
import org.keywell.client.Signer;

/**
 * A request for one act over one or more documents; null means the service's default.
 *
 * <p>Sending the same request again after a lost answer means the same act and the same signatures:
 * it keeps its id and signing time.
 *
 * <p>A single PDF that does not show the signer's name is signed in one call. Any other request
 * takes two: the certificate comes before the digests. If the container of the one call is larger
 * than the space that the PDF keeps for it, there is a second act, whose id depends on that of the
 * first only.
 *
 * @param requestId a UUID, the act's id at the service
 * @param signingTime the time that signatures claim, in whole seconds. In two calls, the start of
 *     the certificate's validity if that is later
 * @param keySpec such as {@code RSA-2048}
 * @param signatureAlgorithm such as {@code RSASSA-PSS}
 * @param timeToLive how long the service waits for the digests after issuing the certificate; no
 *     effect in one call
 * @param deadline how long the answer is useful
 */
public record DocumentSignRequest(
    String requestId,
    List<DocumentToSign> documents,
    Instant signingTime,
    @Nullable Signer signer,
    @Nullable IdentityProof identityProof,
    Digest digest,
    @Nullable String signatureAlgorithm,
    @Nullable String keySpec,
    @Nullable String profile,
    @Nullable Duration timeToLive,
    @Nullable Duration deadline) {

  public DocumentSignRequest {
    documents = List.copyOf(documents);
    if (documents.isEmpty()) {
      throw new IllegalArgumentException("an act signs at least one document");
    }
    signingTime = signingTime.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Starts a request with a signer that the caller vouches for. */
  public static Builder by(Signer signer) {
    return new Builder().signer(signer);
  }

  /** Starts a request with a signer that an identity provider vouches for. */
  public static Builder by(IdentityProof proof) {
    return new Builder().identityProof(proof);
  }

  /** Returns the same request for a second act, always the same one. */
  DocumentSignRequest again() {
    return new DocumentSignRequest(
        UUID.nameUUIDFromBytes(("again " + requestId).getBytes(StandardCharsets.UTF_8)).toString(),
        documents,
        signingTime,
        signer,
        identityProof,
        digest,
        signatureAlgorithm,
        keySpec,
        profile,
        timeToLive,
        deadline);
  }

  ActRequest act() {
    return new ActRequest(
        requestId,
        digest.label(),
        documents.size(),
        signatureAlgorithm,
        keySpec,
        profile,
        signer,
        identityProof,
        timeToLive == null ? null : Math.toIntExact(timeToLive.toSeconds()),
        deadline == null ? null : deadline.toMillis());
  }

  SignRequest inOneCall(byte[] pdfDigest) {
    return new SignRequest(
        requestId,
        digest.label(),
        pdfDigest,
        null,
        Container.PADES_BASELINE_B.label(),
        signatureAlgorithm,
        keySpec,
        profile,
        signer,
        identityProof,
        deadline == null ? null : deadline.toMillis());
  }

  /** Builds a request. Not thread-safe. */
  public static final class Builder {
    private final List<DocumentToSign> documents = new ArrayList<>();
    private @Nullable String requestId;
    private @Nullable Instant signingTime;
    private @Nullable Signer signer;
    private @Nullable IdentityProof identityProof;
    private Digest digest = Digest.SHA_256;
    private @Nullable String signatureAlgorithm;
    private @Nullable String keySpec;
    private @Nullable String profile;
    private @Nullable Duration timeToLive;
    private @Nullable Duration deadline;

    private Builder() {}

    public Builder document(DocumentToSign document) {
      documents.add(document);
      return this;
    }

    public Builder document(Document content, DocumentFormat format) {
      return document(DocumentToSign.of(content, format));
    }

    /** Sets the id, a UUID; random by default. */
    public Builder requestId(String uuid) {
      requestId = uuid;
      return this;
    }

    /** Sets the claimed time; the time of {@link #build} by default. */
    public Builder signingTime(Instant time) {
      signingTime = time;
      return this;
    }

    public Builder signer(Signer value) {
      signer = value;
      return this;
    }

    public Builder identityProof(IdentityProof proof) {
      identityProof = proof;
      return this;
    }

    /** Sets the hash function; SHA-256 by default. */
    public Builder digest(Digest value) {
      digest = value;
      return this;
    }

    public Builder signatureAlgorithm(@Nullable String name) {
      signatureAlgorithm = name;
      return this;
    }

    public Builder keySpec(@Nullable String name) {
      keySpec = name;
      return this;
    }

    public Builder profile(@Nullable String name) {
      profile = name;
      return this;
    }

    public Builder timeToLive(@Nullable Duration value) {
      timeToLive = value;
      return this;
    }

    public Builder deadline(@Nullable Duration value) {
      deadline = value;
      return this;
    }

    public DocumentSignRequest build() {
      return new DocumentSignRequest(
          Objects.requireNonNullElseGet(requestId, () -> UUID.randomUUID().toString()),
          documents,
          Objects.requireNonNullElseGet(signingTime, Instant::now),
          signer,
          identityProof,
          digest,
          signatureAlgorithm,
          keySpec,
          profile,
          timeToLive,
          deadline);
    }
  }
}
