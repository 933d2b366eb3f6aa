package org.keywell.identity.saml;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;

/**
 * Checks whether an assertion of a verified issuer is valid here and now: the rules of the Web
 * Browser SSO profile (SAML profiles, section 4.1.4.3) as tightened by the deployment profile of
 * Sweden's eID framework (section 6.3).
 */
final class AssertionRules {

  private final Set<String> audiences;
  private final Set<String> recipients;
  private final Set<String> levelsOfAssurance;
  private final Duration maxAge;
  private final Duration clockSkew;

  AssertionRules(SamlProviderSettings settings) {
    this.audiences = Set.copyOf(settings.audiences());
    this.recipients = Set.copyOf(settings.recipients());
    this.levelsOfAssurance = Set.copyOf(settings.levelsOfAssurance());
    this.maxAge = settings.maxAge();
    this.clockSkew = settings.clockSkew();
  }

  /**
   * @throws ProofRefusedException if a rule is violated
   */
  void require(Assertion assertion, ProofContext context) {
    requireTimes(assertion, context.now());
    requireForUs(assertion);
    requireAnswerTo(assertion, context);
    if (!levelsOfAssurance.contains(assertion.levelOfAssurance())) {
      throw new ProofRefusedException(
          ProofRefusal.ASSURANCE_TOO_LOW,
          "its AuthnContextClassRef is not one of the provider's levels-of-assurance");
    }
  }

  /** Returns when it counts as expired, by whichever rule applies first. */
  Instant usableUntil(Assertion assertion) {
    return Stream.of(
            assertion.notOnOrAfter(),
            assertion.confirmableUntil(),
            assertion.authenticated().plus(maxAge))
        .min(Instant::compareTo)
        .orElseThrow()
        .plus(clockSkew);
  }

  private void requireTimes(Assertion assertion, Instant now) {
    Instant latestBegin = now.plus(clockSkew);
    if (latestBegin.isBefore(assertion.notBefore())
        || latestBegin.isBefore(assertion.issued())
        || latestBegin.isBefore(assertion.authenticated())) {
      throw new ProofRefusedException(ProofRefusal.NOT_VALID_NOW, "it is not valid yet");
    }
    if (!now.isBefore(usableUntil(assertion))) {
      throw new ProofRefusedException(
          ProofRefusal.NOT_VALID_NOW,
          "it has expired, or its signer was authenticated longer ago than the provider's max-age");
    }
  }

  private void requireForUs(Assertion assertion) {
    List<Set<String>> restrictions = assertion.audiences();
    if (restrictions.isEmpty()
        || !restrictions.stream().allMatch(r -> r.stream().anyMatch(audiences::contains))) {
      throw new ProofRefusedException(
          ProofRefusal.WRONG_AUDIENCE, "its Audience is not one of the provider's audiences");
    }
    if (!recipients.contains(assertion.recipient())) {
      throw new ProofRefusedException(
          ProofRefusal.WRONG_AUDIENCE, "its Recipient is not one of the provider's recipients");
    }
  }

  private static void requireAnswerTo(Assertion assertion, ProofContext context) {
    if (context.inResponseTo() == null) {
      throw new ProofRefusedException(
          ProofRefusal.NOT_BOUND,
          "identityProof.inResponseTo is missing: the ID of the AuthnRequest that was answered");
    }
    if (!assertion.inResponseTo().equals(context.inResponseTo())) {
      throw new ProofRefusedException(
          ProofRefusal.NOT_BOUND, "its InResponseTo differs from identityProof.inResponseTo");
    }
  }
}
