package org.keywell.service.sign;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Subject;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.service.caller.Caller;
import org.keywell.service.identity.ProvenIdentity;
import org.keywell.service.problem.ProblemException;
import org.keywell.service.problem.ProblemType;
import org.keywell.service.request.Container;
import org.keywell.service.request.SignRequest;
import org.keywell.service.request.SigningForm;
import org.keywell.service.settings.SignProperties;

/** Checks a body field by field and builds the request. Thread-safe. */
public final class SignRequestParser {

  public static final String TEST_ID = "^[A-Za-z0-9._:-]{1,64}$";

  private static final Pattern TEST_ID_TEXT = Pattern.compile(TEST_ID);
  private static final Pattern UUID_TEXT = Pattern.compile(SignRequestBody.UUID);

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
  public SignRequestParser(
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
   * Builds the request from a body.
   *
   * @param caller the sender
   * @param testId the header that names an experiment
   * @throws ProblemException if a field is invalid; the detail names it
   */
  public SignRequest parse(SignRequestBody body, Caller caller, @Nullable String testId) {
    return parse(body, null, caller, testId);
  }

  /**
   * As above, for the first call of an act.
   *
   * @param body has no digest for an act
   * @param act null in one call
   */
  public SignRequest parse(
      SignRequestBody body,
      SigningForm.@Nullable InTwoCalls act,
      Caller caller,
      @Nullable String testId) {
    UUID requestId = body.requestId() == null ? UUID.randomUUID() : uuid(body.requestId());
    DigestAlgorithm digestAlgorithm =
        oneOf(
            required(body.digestAlgorithm(), "digestAlgorithm"),
            DigestAlgorithm.values(),
            DigestAlgorithm::label,
            ProblemType.UNKNOWN_DIGEST_ALGORITHM,
            "digestAlgorithm");
    List<byte[]> digests = act == null ? digests(body, digestAlgorithm) : List.of();
    SigningForm form = act == null ? form(body.container()) : act;
    KeySpec keySpec = keySpec(body.keySpec(), caller);
    SignatureScheme scheme = scheme(body.signatureAlgorithm(), keySpec);
    String profile = profiles.choose(body.profile(), caller);
    Duration deadline = deadline(body.deadlineMillis());
    String checkedTestId = testId(testId);
    // Last: all else is refused without the cost of checking a ticket.
    SignerIdentities.Signer signer =
        identities.resolve(body, caller, requestId, digestAlgorithm, digests, deadline);
    Subject subject = signer.subject();
    profiles.require(profile, subject);
    Fingerprint content =
        new Fingerprint()
            .add(caller.name())
            .add(digestAlgorithm.label())
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
    if (form instanceof SigningForm.Contained(Container container)) {
      content.add("container").add(container.label());
    }
    if (act != null) {
      content.add(Integer.toString(act.digests())).add(act.timeToLive().toString());
    }
    return new SignRequest(
        requestId,
        content.sha256(),
        form,
        digestAlgorithm,
        digests,
        scheme,
        keySpec,
        subject,
        profile,
        identity,
        deadline,
        caller,
        checkedTestId);
  }

  /**
   * Reads a request id.
   *
   * @throws ProblemException if the text is not a UUID in its usual form (RFC 9562, section 4)
   */
  public static UUID uuid(String text) {
    return uuid(text, "requestId");
  }

  /** Reads the id in another field. */
  public static UUID uuid(String text, String field) {
    if (!UUID_TEXT.matcher(text).matches()) {
      throw new ProblemException(ProblemType.BAD_REQUEST_ID, field + " is not a UUID");
    }
    return UUID.fromString(text);
  }

  private List<byte[]> digests(SignRequestBody body, DigestAlgorithm algorithm) {
    List<@Nullable String> several = body.digests();
    if (several == null) {
      return List.of(digest(required(body.digest(), "digest"), algorithm, "digest"));
    }
    if (body.digest() != null) {
      throw new ProblemException(
          ProblemType.DIGEST_COUNT, "digest and digests are both there: one of them has all");
    }
    if (several.isEmpty() || several.size() > properties.maxDigests()) {
      throw new ProblemException(
          ProblemType.DIGEST_COUNT,
          "digests has %d; keywell.sign.max-digests allows 1 to %d"
              .formatted(several.size(), properties.maxDigests()));
    }
    List<byte[]> digests = new ArrayList<>(several.size());
    for (int i = 0; i < several.size(); i++) {
      String field = "digests[" + i + "]";
      digests.add(digest(required(several.get(i), field), algorithm, field));
    }
    return digests;
  }

  private static SigningForm form(@Nullable String container) {
    return container == null
        ? new SigningForm.Bare()
        : new SigningForm.Contained(
            oneOf(
                container,
                Container.values(),
                Container::label,
                ProblemType.UNKNOWN_CONTAINER,
                "container"));
  }

  /**
   * Reads a digest.
   *
   * @throws ProblemException if it is not canonical base64 of its algorithm's length
   */
  public static byte[] digest(String base64, DigestAlgorithm algorithm, String field) {
    byte[] digest;
    try {
      digest = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.BAD_DIGEST, field + " is not base64 (RFC 4648)");
    }
    // The decoder also accepts missing padding and spare bits: other texts of the same digest.
    if (!Base64.getEncoder().encodeToString(digest).equals(base64)) {
      throw new ProblemException(
          ProblemType.BAD_DIGEST, field + " is not canonical base64 (RFC 4648, section 3.5)");
    }
    if (digest.length != algorithm.lengthBytes()) {
      throw new ProblemException(
          ProblemType.BAD_DIGEST,
          "%s has %d bytes; %s has %d"
              .formatted(field, digest.length, algorithm, algorithm.lengthBytes()));
    }
    return digest;
  }

  private KeySpec keySpec(@Nullable String label, Caller caller) {
    KeySpec spec =
        label == null
            ? KeySpec.RSA_2048
            : oneOf(
                label, KeySpec.values(), KeySpec::label, ProblemType.UNKNOWN_KEY_SPEC, "keySpec");
    if (!served.test(spec)) {
      throw new ProblemException(
          ProblemType.UNKNOWN_KEY_SPEC,
          "keySpec %s has no pool in this service; keywell.pool.specs.%s.max-stored gives it one"
              .formatted(spec, spec));
    }
    if (!caller.mayUse(spec)) {
      throw new ProblemException(
          ProblemType.KEY_SPEC_NOT_ALLOWED,
          "keySpec %s is none of those that %s may ask for".formatted(spec, caller.name()));
    }
    return spec;
  }

  private static SignatureScheme scheme(@Nullable String label, KeySpec spec) {
    if (label == null) {
      return defaultScheme(spec);
    }
    SignatureScheme scheme =
        oneOf(
            label,
            SignatureScheme.values(),
            SignatureScheme::label,
            ProblemType.UNKNOWN_SIGNATURE_ALGORITHM,
            "signatureAlgorithm");
    if (!scheme.fits(spec)) {
      throw new ProblemException(
          ProblemType.ALGORITHM_MISMATCH,
          "signatureAlgorithm " + scheme + " does not fit keySpec " + spec);
    }
    return scheme;
  }

  /** Returns the scheme if none is named. */
  static SignatureScheme defaultScheme(KeySpec spec) {
    return switch (spec.algorithm()) {
      case RSA -> SignatureScheme.RSASSA_PKCS1_V1_5;
      case EC -> SignatureScheme.ECDSA;
    };
  }

  private Duration deadline(@Nullable Long millis) {
    if (millis == null) {
      return properties.defaultDeadline();
    }
    long max = properties.maxDeadline().toMillis();
    if (millis < 1 || millis > max) {
      throw new ProblemException(
          ProblemType.BAD_DEADLINE,
          "deadlineMillis is " + millis + "; keywell.sign.max-deadline allows 1 to " + max);
    }
    return Duration.ofMillis(millis);
  }

  private static @Nullable String testId(@Nullable String testId) {
    if (testId != null && !TEST_ID_TEXT.matcher(testId).matches()) {
      throw new ProblemException(
          ProblemType.BAD_TEST_ID, "Keywell-Test-Id has 1 to 64 of A-Z a-z 0-9 . _ : -");
    }
    return testId;
  }

  /**
   * Returns a required field.
   *
   * @throws ProblemException if it is missing
   */
  public static <T> T required(@Nullable T value, String field) {
    if (value == null) {
      throw new ProblemException(ProblemType.MISSING_FIELD, field + " is required");
    }
    return value;
  }

  private static <T> T oneOf(
      String label, T[] values, Function<T, String> labelOf, ProblemType problem, String field) {
    for (T value : values) {
      if (labelOf.apply(value).equals(label)) {
        return value;
      }
    }
    List<String> known = Arrays.stream(values).map(labelOf).toList();
    throw new ProblemException(problem, field + " is none of " + String.join(", ", known));
  }
}
