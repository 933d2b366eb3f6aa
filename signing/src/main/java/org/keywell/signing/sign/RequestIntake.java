package org.keywell.signing.sign;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Subject;
import org.keywell.identity.ProvenIdentity;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.settings.SignProperties;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.signing.request.SigningOrder;

/**
 * Turns orders into requests: checks what the caller may have and who signs, and fills in defaults.
 * The same for all entry points, so that a repetition through another one is recognized.
 * Thread-safe.
 */
public final class RequestIntake {

  /** Replaces the digest in fingerprints of acts in two calls; shorter than any digest. */
  private static final byte[] IN_TWO_CALLS = "in two calls".getBytes(StandardCharsets.US_ASCII);

  private final SignProperties properties;
  private final Predicate<KeySpec> served;
  private final ProfileChoice profiles;
  private final SignerIdentities identities;

  /**
   * @param served the key specs that requests may ask for
   * @param identities determines who signs
   */
  public RequestIntake(
      SignProperties properties,
      Predicate<KeySpec> served,
      ProfileChoice profiles,
      SignerIdentities identities) {
    this.properties = properties;
    this.served = served;
    this.profiles = profiles;
    this.identities = identities;
  }

  /**
   * Builds the request. May wait for the check of a ticket, up to the request's deadline.
   *
   * @throws RefusedException if the caller cannot have what it orders; the detail names the field
   */
  public SignRequest accept(SigningOrder order, Caller caller) {
    switch (order.form()) {
      case SigningForm.Bare _, SigningForm.Contained _ ->
          requireCount("digests has %d entries", order.digests().size());
      case SigningForm.InTwoCalls act -> requireCount("digestCount is %d", act.digests());
    }
    UUID requestId = order.requestId() == null ? UUID.randomUUID() : order.requestId();
    KeySpec keySpec = keySpec(order.keySpec(), caller);
    SignatureScheme scheme = scheme(order.scheme(), keySpec);
    requireSignable(order, keySpec, scheme);
    String profile = profiles.choose(order.profile(), caller);
    Duration deadline = deadline(order.deadline());
    // Last: all else is refused without the cost of checking a ticket.
    SignerIdentities.Signer signer = identities.resolve(order, caller, requestId, deadline);
    profiles.require(profile, signer.subject());
    return new SignRequest(
        requestId,
        fingerprint(order, caller, keySpec, scheme, profile, signer),
        order.form(),
        order.digestAlgorithm(),
        order.digests(),
        scheme,
        keySpec,
        signer.subject(),
        profile,
        signer.identity(),
        deadline,
        caller,
        order.testId());
  }

  private static byte[] fingerprint(
      SigningOrder order,
      Caller caller,
      KeySpec keySpec,
      SignatureScheme scheme,
      String profile,
      SignerIdentities.Signer signer) {
    List<byte[]> digests = order.digests();
    Subject subject = signer.subject();
    Fingerprint content =
        new Fingerprint()
            .add(caller.name())
            .add(order.digestAlgorithm().label())
            .add(digests.isEmpty() ? IN_TWO_CALLS : digests.getFirst())
            .add(scheme.label())
            .add(keySpec.label())
            .add(subject.commonName())
            .add(subject.givenName())
            .add(subject.surname())
            .add(subject.serialNumber())
            .add(subject.organization())
            .add(subject.organizationalUnit())
            .add(subject.country());
    // Options are included only if used, so fingerprints without them stay the same.
    if (!profile.equals(CertificateProfiles.STANDARD)) {
      content.add("profile").add(profile);
    }
    ProvenIdentity identity = signer.identity();
    if (identity != null) {
      content.add("identityProof").add(identity.sha256());
    }
    if (digests.size() > 1) {
      content.add("digests").add(Integer.toString(digests.size()));
      digests.stream().skip(1).forEach(content::add);
    }
    switch (order.form()) {
      case SigningForm.Bare _ -> {}
      case SigningForm.Contained contained ->
          content.add("container").add(contained.container().label());
      case SigningForm.InTwoCalls act ->
          content.add(Integer.toString(act.digests())).add(act.timeToLive().toString());
    }
    return content.sha256();
  }

  private void requireCount(String found, int digests) {
    if (digests < 1 || digests > properties.maxDigests()) {
      throw new RefusedException(
          Reason.DIGEST_COUNT,
          (found + "; keywell.sign.max-digests allows 1 to %d")
              .formatted(digests, properties.maxDigests()));
    }
  }

  private KeySpec keySpec(@Nullable KeySpec ordered, Caller caller) {
    KeySpec spec = ordered == null ? KeySpec.RSA_2048 : ordered;
    if (!served.test(spec)) {
      throw new RefusedException(
          Reason.UNKNOWN_KEY_SPEC,
          "keySpec %s has no pool in this service; keywell.pool.specs.%s.max-stored gives it one"
              .formatted(spec, spec));
    }
    if (!caller.mayUse(spec)) {
      throw new RefusedException(
          Reason.KEY_SPEC_NOT_ALLOWED,
          "keySpec %s is not allowed for caller %s".formatted(spec, caller.name()));
    }
    return spec;
  }

  private static SignatureScheme scheme(@Nullable SignatureScheme ordered, KeySpec spec) {
    if (ordered == null) {
      return spec.defaultScheme();
    }
    if (!ordered.fits(spec)) {
      throw new RefusedException(
          Reason.ALGORITHM_MISMATCH,
          "signatureAlgorithm " + ordered + " does not fit keySpec " + spec);
    }
    return ordered;
  }

  /**
   * ML-DSA signs messages (RFC 9882, section 3.2), and the service has one only where it builds
   * what is signed.
   */
  private static void requireSignable(SigningOrder order, KeySpec spec, SignatureScheme scheme) {
    if (scheme.signsMessages() && !(order.form() instanceof SigningForm.Contained)) {
      throw new RefusedException(
          Reason.ALGORITHM_MISMATCH,
          "keySpec %s does not sign digests; order a container in one call".formatted(spec));
    }
    if (!spec.isStrongEnough(order.digestAlgorithm())) {
      throw new RefusedException(
          Reason.ALGORITHM_MISMATCH,
          "digestAlgorithm %s is weaker than keySpec %s"
              .formatted(order.digestAlgorithm().label(), spec));
    }
  }

  private Duration deadline(@Nullable Duration ordered) {
    if (ordered == null) {
      return properties.defaultDeadline();
    }
    if (!ordered.isPositive() || ordered.compareTo(properties.maxDeadline()) > 0) {
      throw new RefusedException(
          Reason.BAD_DEADLINE,
          "deadlineMillis is %d; keywell.sign.max-deadline allows 1 to %d"
              .formatted(ordered.toMillis(), properties.maxDeadline().toMillis()));
    }
    return ordered;
  }
}
