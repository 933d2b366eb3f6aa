package org.keywell.json;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProofType;
import org.keywell.identity.SubjectParts;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.request.Container;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.signing.request.SigningOrder;
import org.keywell.signing.sign.RequestIntake;

/** Decodes a body field by field; {@link RequestIntake} builds the request. Thread-safe. */
public final class SignRequestParser {

  public static final String TEST_ID = "^[A-Za-z0-9._:-]{1,64}$";

  private static final Pattern TEST_ID_TEXT = Pattern.compile(TEST_ID);
  private static final Pattern UUID_TEXT = Pattern.compile(SignRequestBody.UUID);

  private final RequestIntake intake;

  public SignRequestParser(RequestIntake intake) {
    this.intake = intake;
  }

  /**
   * Builds the request from a body.
   *
   * @param caller the sender
   * @param testId names an experiment; null: none
   * @throws RefusedException if a field is invalid, which the detail names, or the caller is not
   *     entitled to what the body requests
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
    UUID requestId = body.requestId() == null ? null : uuid(body.requestId());
    DigestAlgorithm digestAlgorithm =
        oneOf(
            required(body.digestAlgorithm(), "digestAlgorithm"),
            DigestAlgorithm.values(),
            DigestAlgorithm::label,
            Reason.UNKNOWN_DIGEST_ALGORITHM,
            "digestAlgorithm");
    SigningOrder order =
        new SigningOrder(
            requestId,
            act == null ? form(body.container()) : act,
            digestAlgorithm,
            act == null ? digests(body, digestAlgorithm) : List.of(),
            keySpec(body.keySpec()),
            scheme(body.signatureAlgorithm()),
            body.profile(),
            named(body.signer()),
            ticket(body.identityProof()),
            body.deadlineMillis() == null ? null : Duration.ofMillis(body.deadlineMillis()),
            testId(testId));
    return intake.accept(order, caller);
  }

  private static @Nullable SubjectParts named(SignRequestBody.@Nullable Signer signer) {
    if (signer == null) {
      return null;
    }
    return new SubjectParts()
        .put(SubjectAttribute.COMMON_NAME, signer.commonName())
        .put(SubjectAttribute.GIVEN_NAME, signer.givenName())
        .put(SubjectAttribute.SURNAME, signer.surname())
        .put(SubjectAttribute.SERIAL_NUMBER, signer.serialNumber())
        .put(SubjectAttribute.ORGANIZATION, signer.organization())
        .put(SubjectAttribute.ORGANIZATIONAL_UNIT, signer.organizationalUnit())
        .put(SubjectAttribute.COUNTRY, signer.country());
  }

  private static SigningOrder.@Nullable Ticket ticket(
      SignRequestBody.@Nullable IdentityProof proof) {
    if (proof == null) {
      return null;
    }
    String type = required(proof.type(), "identityProof.type");
    String value = required(proof.value(), "identityProof.value");
    return new SigningOrder.Ticket(
        ProofType.ofLabel(type)
            .orElseThrow(() ->
                new RefusedException(
                    Reason.BAD_PROOF, "identityProof.type is neither jwt nor saml")),
        value,
        proof.inResponseTo());
  }

  /**
   * Reads a request id.
   *
   * @throws RefusedException if the text is not a UUID in its usual form (RFC 9562, section 4)
   */
  public static UUID uuid(String text) {
    return uuid(text, "requestId");
  }

  /** Reads the id in another field. */
  public static UUID uuid(String text, String field) {
    if (!UUID_TEXT.matcher(text).matches()) {
      throw new RefusedException(Reason.BAD_REQUEST_ID, field + " is not a UUID");
    }
    return UUID.fromString(text);
  }

  private static List<byte[]> digests(SignRequestBody body, DigestAlgorithm algorithm) {
    List<@Nullable String> several = body.digests();
    if (several == null) {
      return List.of(digest(required(body.digest(), "digest"), algorithm, "digest"));
    }
    if (body.digest() != null) {
      throw new RefusedException(
          Reason.DIGEST_COUNT, "digest and digests are both present; send only one of them");
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
                Reason.UNKNOWN_CONTAINER,
                "container"));
  }

  /**
   * Reads a digest.
   *
   * @throws RefusedException if it is not canonical base64 of its algorithm's length
   */
  public static byte[] digest(String base64, DigestAlgorithm algorithm, String field) {
    byte[] digest;
    try {
      digest = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(Reason.BAD_DIGEST, field + " is not base64 (RFC 4648)");
    }
    // The decoder also accepts missing padding and spare bits: other spellings of the same digest.
    if (!Base64.getEncoder().encodeToString(digest).equals(base64)) {
      throw new RefusedException(
          Reason.BAD_DIGEST, field + " is not canonical base64 (RFC 4648, section 3.5)");
    }
    if (digest.length != algorithm.lengthBytes()) {
      throw new RefusedException(
          Reason.BAD_DIGEST,
          "%s has %d bytes; %s requires %d"
              .formatted(field, digest.length, algorithm, algorithm.lengthBytes()));
    }
    return digest;
  }

  private static @Nullable KeySpec keySpec(@Nullable String label) {
    return label == null
        ? null
        : oneOf(label, KeySpec.values(), KeySpec::label, Reason.UNKNOWN_KEY_SPEC, "keySpec");
  }

  private static @Nullable SignatureScheme scheme(@Nullable String label) {
    return label == null
        ? null
        : oneOf(
            label,
            SignatureScheme.values(),
            SignatureScheme::label,
            Reason.UNKNOWN_SIGNATURE_ALGORITHM,
            "signatureAlgorithm");
  }

  private static @Nullable String testId(@Nullable String testId) {
    if (testId != null && !TEST_ID_TEXT.matcher(testId).matches()) {
      throw new RefusedException(
          Reason.BAD_TEST_ID, "Keywell-Test-Id must be 1 to 64 of A-Z a-z 0-9 . _ : -");
    }
    return testId;
  }

  /**
   * Returns a required field.
   *
   * @throws RefusedException if it is missing
   */
  public static <T> T required(@Nullable T value, String field) {
    if (value == null) {
      throw new RefusedException(Reason.MISSING_FIELD, field + " is required");
    }
    return value;
  }

  private static <T> T oneOf(
      String label, T[] values, Function<T, String> labelOf, Reason reason, String field) {
    for (T value : values) {
      if (labelOf.apply(value).equals(label)) {
        return value;
      }
    }
    List<String> known = Arrays.stream(values).map(labelOf).toList();
    throw new RefusedException(reason, field + " is not one of " + String.join(", ", known));
  }
}
