package org.keywell.identity;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.AuthenticationContext;
import org.keywell.ca.SubjectAttribute;

/**
 * What an identity provider attests about a signer, verified. Contains nothing that could be reused
 * as a ticket.
 *
 * @param provider the issuer: a JWT's {@code iss} or a SAML assertion's {@code Issuer}
 * @param authenticated when the provider authenticated the signer
 * @param levelOfAssurance {@code acr}, or {@code AuthnContextClassRef}
 * @param reference the ticket's own id at its provider: {@code jti}, or the assertion's {@code ID}
 * @param sha256 {@link TicketReference#sha256}: one value per ticket, however it is spelled. It
 *     prevents a second use of the ticket and is its reference on record
 * @param usableUntil when the ticket counts as expired, including the tolerated clock skew: its use
 *     need not be remembered for longer
 * @param attributes what it says about the signer, by its own names and as parts of a subject
 * @param binding the {@link RequestBinding} that digests not yet known must match; null if the
 *     ticket may serve any, or they have been compared
 */
public record ProvenIdentity(
    String provider,
    Instant authenticated,
    String levelOfAssurance,
    String reference,
    byte[] sha256,
    Instant usableUntil,
    List<Attested> attributes,
    @Nullable String binding) {

  /** For a ticket that may serve any digests or has been compared with them. */
  public ProvenIdentity(
      String provider,
      Instant authenticated,
      String levelOfAssurance,
      String reference,
      byte[] sha256,
      Instant usableUntil,
      List<Attested> attributes) {
    this(
        provider,
        authenticated,
        levelOfAssurance,
        reference,
        sha256,
        usableUntil,
        attributes,
        null);
  }

  /**
   * @throws ProofRefusedException if a certificate cannot repeat what the ticket says
   */
  public ProvenIdentity {
    requireText("level of assurance", levelOfAssurance);
    requireText("id", reference);
    for (Attested attested : attributes) {
      requireText("attribute " + attested.source(), attested.said());
    }
    attributes = List.copyOf(attributes);
  }

  /** Whether the ticket may serve these digests, now that they are known. */
  public boolean mayServe(String digestAlgorithm, List<byte[]> digests) {
    return binding == null || binding.equals(RequestBinding.of(digestAlgorithm, digests));
  }

  private static void requireText(String what, String value) {
    if (!AuthenticationContext.accepts(value)) {
      throw new ProofRefusedException(
          ProofRefusal.MALFORMED,
          "the ticket's %s is blank, longer than %d characters, or not text"
              .formatted(what, AuthenticationContext.LONGEST_TEXT));
    }
  }

  /**
   * One attested attribute of the subject.
   *
   * @param source its name at the provider: a claim's or a SAML attribute's; null if the
   *     configuration sets it for everyone whom the provider attests
   * @param target the part of the certificate's subject that it became
   * @param value as in the subject
   * @param said as the provider says it, for the certificate to repeat
   */
  public record Attested(
      @Nullable String source, SubjectAttribute target, String value, String said) {}
}
