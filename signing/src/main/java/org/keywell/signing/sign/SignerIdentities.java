package org.keywell.signing.sign;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.InvalidSubjectException;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProofVerifiers;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.SubjectParts;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.IdentityPolicy;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SigningOrder;

/**
 * Determines who signs: by the identity provider's ticket, or on the word of a caller that may
 * vouch. If both are given, they must agree, and the ticket's spelling goes into the certificate.
 * Thread-safe.
 */
public final class SignerIdentities {

  private static final Duration PROVIDER_RETRY = Duration.ofSeconds(10);
  private static final Duration BUSY_RETRY = Duration.ofSeconds(1);

  private final ProofVerifiers proofs;
  private final InstantSource clock;

  public SignerIdentities(ProofVerifiers proofs, InstantSource clock) {
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
   * @throws RefusedException if the signer cannot be determined
   */
  Signer resolve(SigningOrder order, Caller caller, UUID requestId, Duration patience) {
    SigningOrder.Ticket ticket = order.ticket();
    if (ticket == null) {
      return new Signer(onTheCallersWord(order.signer(), caller), null);
    }
    SubjectParts named =
        requireValid(Objects.requireNonNullElseGet(order.signer(), SubjectParts::new));
    ProvenIdentity proven =
        verify(
            ticket,
            new ProofContext(
                clock.instant(),
                requestId,
                order.digestAlgorithm().label(),
                order.digests(),
                ticket.inResponseTo()),
            patience);
    return new Signer(agreed(named, proven, caller.identity()), proven);
  }

  private static Subject onTheCallersWord(@Nullable SubjectParts signer, Caller caller) {
    return switch (caller.identity()) {
      case REQUIRED ->
          throw new RefusedException(
              Reason.PROOF_REQUIRED,
              "identityProof is missing, and the caller %s does not vouch for signers"
                  .formatted(caller.name()));
      case TRUSTED_CALLER -> {
        SubjectParts named = requireValid(required(signer, "signer"));
        yield named.toSubject(
            required(named.get(SubjectAttribute.COMMON_NAME), "signer.commonName"));
      }
    };
  }

  private static <T> T required(@Nullable T value, String field) {
    if (value == null) {
      throw new RefusedException(Reason.MISSING_FIELD, field + " is required");
    }
    return value;
  }

  /** Checks that each part is fit for a certificate. */
  private static SubjectParts requireValid(SubjectParts named) {
    try {
      var _ = named.toSubject("-");
      return named;
    } catch (InvalidSubjectException e) {
      throw new RefusedException(Reason.BAD_SIGNER, "signer." + e.attribute() + " " + e.problem());
    }
  }

  private ProvenIdentity verify(
      SigningOrder.Ticket ticket, ProofContext context, Duration patience) {
    try {
      return proofs.verify(ticket.type(), ticket.value(), context, patience);
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
            refused(e, null);
      };
    }
  }

  private static RefusedException refused(ProofRefusedException e, @Nullable Duration retryAfter) {
    return new RefusedException(new Refusal(Reason.of(e.reason()), e.detail(), retryAfter));
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
        throw new RefusedException(
            Reason.SIGNER_MISMATCH,
            "signer.%s %s"
                .formatted(
                    attribute,
                    attested == null ? "is not in the ticket" : "differs from the ticket"));
      }
      subject.put(attribute, value);
    }
    String commonName = subject.get(SubjectAttribute.COMMON_NAME);
    if (commonName == null) {
      throw new RefusedException(
          Reason.PROOF_ATTRIBUTES, "the signer's commonName is in neither the ticket nor signer");
    }
    return subject.toSubject(commonName);
  }
}
