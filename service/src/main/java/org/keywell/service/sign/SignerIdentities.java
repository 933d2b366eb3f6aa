package org.keywell.service.sign;

import static org.keywell.service.sign.SignRequestParser.required;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.InvalidSubjectException;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectAttribute;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.service.caller.Caller;
import org.keywell.service.caller.IdentityPolicy;
import org.keywell.service.identity.ProofContext;
import org.keywell.service.identity.ProofRefusedException;
import org.keywell.service.identity.ProofType;
import org.keywell.service.identity.ProofVerifiers;
import org.keywell.service.identity.ProvenIdentity;
import org.keywell.service.identity.SubjectParts;
import org.keywell.service.problem.Problem;
import org.keywell.service.problem.ProblemException;
import org.keywell.service.problem.ProblemType;

/**
 * Determines who signs: by the identity provider's ticket, or on the word of a caller that may
 * vouch. If both are given, they must agree, and the ticket's spelling goes into the certificate.
 * Thread-safe.
 */
final class SignerIdentities {

  private static final Duration PROVIDER_RETRY = Duration.ofSeconds(10);
  private static final Duration BUSY_RETRY = Duration.ofSeconds(1);

  private final ProofVerifiers proofs;
  private final InstantSource clock;

  SignerIdentities(ProofVerifiers proofs, InstantSource clock) {
    this.proofs = proofs;
    this.clock = clock;
  }

  /**
   * The signer of a request.
   *
   * @param identity what an identity provider attests; null if the caller vouches
   */
  record Signer(Subject subject, @Nullable ProvenIdentity identity) {}

  /**
   * Determines the signer.
   *
   * @param patience how long to wait for the check of a ticket
   * @throws ProblemException if the signer cannot be determined
   */
  Signer resolve(
      SignRequestBody body,
      Caller caller,
      UUID requestId,
      DigestAlgorithm digestAlgorithm,
      List<byte[]> digests,
      Duration patience) {
    SignRequestBody.IdentityProof proof = body.identityProof();
    if (proof == null) {
      return new Signer(onTheCallersWord(body.signer(), caller), null);
    }
    SubjectParts named = named(body.signer());
    String type = required(proof.type(), "identityProof.type");
    String ticket = required(proof.value(), "identityProof.value");
    ProvenIdentity proven =
        verify(
            ProofType.ofLabel(type).orElseThrow(SignerIdentities::unknownType),
            ticket,
            new ProofContext(
                clock.instant(), requestId, digestAlgorithm.label(), digests, proof.inResponseTo()),
            patience);
    return new Signer(agreed(named, proven, caller.identity()), proven);
  }

  private static Subject onTheCallersWord(SignRequestBody.@Nullable Signer signer, Caller caller) {
    return switch (caller.identity()) {
      case REQUIRED ->
          throw new ProblemException(
              ProblemType.PROOF_REQUIRED,
              "identityProof is missing, and the caller %s does not vouch for signers"
                  .formatted(caller.name()));
      case TRUSTED_CALLER -> {
        SubjectParts named = named(required(signer, "signer"));
        yield named.toSubject(
            required(named.get(SubjectAttribute.COMMON_NAME), "signer.commonName"));
      }
    };
  }

  /** Returns the signer as the request names it, each part fit for a certificate. */
  private static SubjectParts named(SignRequestBody.@Nullable Signer signer) {
    SubjectParts named = new SubjectParts();
    if (signer == null) {
      return named;
    }
    named
        .put(SubjectAttribute.COMMON_NAME, signer.commonName())
        .put(SubjectAttribute.GIVEN_NAME, signer.givenName())
        .put(SubjectAttribute.SURNAME, signer.surname())
        .put(SubjectAttribute.SERIAL_NUMBER, signer.serialNumber())
        .put(SubjectAttribute.ORGANIZATION, signer.organization())
        .put(SubjectAttribute.ORGANIZATIONAL_UNIT, signer.organizationalUnit())
        .put(SubjectAttribute.COUNTRY, signer.country());
    try {
      named.toSubject("-");
      return named;
    } catch (InvalidSubjectException e) {
      throw new ProblemException(
          ProblemType.BAD_SIGNER, "signer." + e.attribute() + " " + e.problem());
    }
  }

  private ProvenIdentity verify(
      ProofType type, String ticket, ProofContext context, Duration patience) {
    try {
      return proofs.verify(type, ticket, context, patience);
    } catch (ProofRefusedException e) {
      throw switch (e.reason()) {
        case PROVIDER_UNAVAILABLE -> refused(e, PROVIDER_RETRY);
        case BUSY -> refused(e, BUSY_RETRY);
        case MALFORMED,
            UNTRUSTED,
            NOT_VALID_NOW,
            WRONG_AUDIENCE,
            ASSURANCE_TOO_LOW,
            NOT_BOUND,
            REPLAYED,
            ATTRIBUTES ->
            new ProblemException(ProblemType.of(e.reason()), e.detail());
      };
    }
  }

  private static ProblemException refused(ProofRefusedException e, Duration retryAfter) {
    return new ProblemException(new Problem(ProblemType.of(e.reason()), e.detail(), retryAfter));
  }

  private static ProblemException unknownType() {
    return new ProblemException(
        ProblemType.BAD_PROOF, "identityProof.type is neither jwt nor saml");
  }

  /** Adds to the ticket's parts those it lacks, if the caller may vouch for them. */
  private static Subject agreed(SubjectParts named, ProvenIdentity proven, IdentityPolicy policy) {
    SubjectParts subject = new SubjectParts();
    proven.attributes().forEach(attested -> subject.put(attested.target(), attested.value()));
    for (SubjectAttribute attribute : SubjectAttribute.values()) {
      String value = named.get(attribute);
      String attested = subject.get(attribute);
      // Case-insensitive: directories do not distinguish names by case (RFC 4518).
      if (value == null || value.equalsIgnoreCase(attested)) {
        continue;
      }
      if (attested != null || policy == IdentityPolicy.REQUIRED) {
        throw new ProblemException(
            ProblemType.SIGNER_MISMATCH,
            "signer.%s %s"
                .formatted(
                    attribute,
                    attested == null
                        ? "is nothing that the ticket says"
                        : "is other than what the ticket says"));
      }
      subject.put(attribute, value);
    }
    String commonName = subject.get(SubjectAttribute.COMMON_NAME);
    if (commonName == null) {
      throw new ProblemException(
          ProblemType.PROOF_ATTRIBUTES,
          "nothing says the signer's commonName: neither the ticket's attributes nor signer");
    }
    return subject.toSubject(commonName);
  }
}
