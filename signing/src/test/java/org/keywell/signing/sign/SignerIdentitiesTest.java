package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProofType;
import org.keywell.identity.ProofVerifier;
import org.keywell.identity.ProofVerifiers;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.ProvenIdentity.Attested;
import org.keywell.identity.SubjectParts;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.IdentityPolicy;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SigningForm;
import org.keywell.signing.request.SigningOrder;
import org.keywell.signing.request.SigningOrder.Ticket;

final class SignerIdentitiesTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Ticket PROOF = new Ticket(ProofType.JWT, "a.b.c", "_r1");

  private final Map<SubjectAttribute, String> attested = new HashMap<>();
  private @Nullable ProofRefusal refusal;
  private @Nullable ProofContext seen;
  private final ProofVerifier provider = this::verify;
  private final SignerIdentities identities =
      new SignerIdentities(
          new ProofVerifiers(Map.of(ProofType.JWT, provider), 10, 1), InstantSource.fixed(NOW));

  @Test
  void aCallerVouchesOnlyIfItMay() {
    SubjectParts astrid = signer("Astrid Exempel", null, null);

    assertThat(resolve(astrid, null, IdentityPolicy.TRUSTED_CALLER).subject())
        .isEqualTo(Subject.ofCommonName("Astrid Exempel"));
    assertThat(resolve(astrid, null, IdentityPolicy.TRUSTED_CALLER).identity()).isNull();
    assertRefusal(
        refusal(astrid, null, IdentityPolicy.REQUIRED), Reason.PROOF_REQUIRED, "tax-portal");
    assertRefusal(
        refusal(null, null, IdentityPolicy.TRUSTED_CALLER), Reason.MISSING_FIELD, "signer ");
  }

  @ParameterizedTest
  @EnumSource(IdentityPolicy.class)
  void aTicketIsEnough(IdentityPolicy policy) {
    attested.put(SubjectAttribute.COMMON_NAME, "Astrid Exempel");
    attested.put(SubjectAttribute.SERIAL_NUMBER, "PNOSE-197001011234");
    SignerIdentities.Signer signer = resolve(null, PROOF, policy);

    assertThat(signer.subject())
        .isEqualTo(
            new Subject("Astrid Exempel", null, null, "PNOSE-197001011234", null, null, null));
    assertThat(signer.identity()).isNotNull();
    ProofContext context = Objects.requireNonNull(seen);
    assertThat(context.now()).isEqualTo(NOW);
    assertThat(context.digestAlgorithm()).isEqualTo("SHA-256");
    assertThat(context.inResponseTo()).isEqualTo("_r1");
  }

  @Test
  void theTicketsSpellingWins() {
    attested.put(SubjectAttribute.COMMON_NAME, "Åsa Öberg");

    assertThat(resolve(signer("ÅSA ÖBERG", null, null), PROOF, IdentityPolicy.REQUIRED).subject())
        .isEqualTo(Subject.ofCommonName("Åsa Öberg"));
  }

  @ParameterizedTest
  @CsvSource({
    "Bertil Exempel, , , commonName",
    "Astrid Exempel, PNOSE-197001011235, , serialNumber",
    ", , NO, country"
  })
  void aSignerThatIsNotTheTicketsIsRefusedByTheFieldsName(
      @Nullable String commonName,
      @Nullable String serialNumber,
      @Nullable String country,
      String field) {
    attested.put(SubjectAttribute.COMMON_NAME, "Astrid Exempel");
    attested.put(SubjectAttribute.SERIAL_NUMBER, "PNOSE-197001011234");
    attested.put(SubjectAttribute.COUNTRY, "SE");
    SubjectParts signer = signer(commonName, serialNumber, country);

    for (IdentityPolicy policy : IdentityPolicy.values()) {
      Refusal refused = refusal(signer, PROOF, policy);
      assertRefusal(refused, Reason.SIGNER_MISMATCH, "signer." + field);
      assertThat(refused.detail()).doesNotContain("Astrid", "Bertil", "1970");
    }
  }

  /** Else a certificate that names a provider would say what that provider does not. */
  @Test
  void whatTheTicketDoesNotSayIsTakenFromWhoMayVouchOnly() {
    attested.put(SubjectAttribute.COMMON_NAME, "Astrid Exempel");
    SubjectParts signer = signer(null, "PNOSE-197001011234", null);

    assertThat(resolve(signer, PROOF, IdentityPolicy.TRUSTED_CALLER).subject().serialNumber())
        .isEqualTo("PNOSE-197001011234");
    assertRefusal(
        refusal(signer, PROOF, IdentityPolicy.REQUIRED),
        Reason.SIGNER_MISMATCH,
        "signer.serialNumber");
  }

  @Test
  void aCertificateHasACommonName() {
    attested.put(SubjectAttribute.SURNAME, "Exempel");

    assertRefusal(
        refusal(null, PROOF, IdentityPolicy.REQUIRED), Reason.PROOF_ATTRIBUTES, "commonName");
  }

  @ParameterizedTest
  @EnumSource(ProofRefusal.class)
  void aTicketThatProvesNothingIsRefusedWhoeverCalls(ProofRefusal reason) {
    refusal = reason;

    for (IdentityPolicy policy : IdentityPolicy.values()) {
      Refusal refused = refusal(signer("Astrid Exempel", null, null), PROOF, policy);
      assertRefusal(refused, Reason.of(reason), "because");
      assertThat(refused.retryAfter() != null)
          .isEqualTo(reason == ProofRefusal.PROVIDER_UNAVAILABLE || reason == ProofRefusal.BUSY);
    }
  }

  @Test
  void whatCanBeRefusedWithoutTheTicketIs() {
    SubjectParts astrid = signer("Astrid Exempel", null, null);

    assertRefusal(
        refusal(signer("", null, null), PROOF, IdentityPolicy.REQUIRED),
        Reason.BAD_SIGNER,
        "signer.commonName");
    assertRefusal(
        refusal(astrid, new Ticket(ProofType.JWT, "01234567890", null), IdentityPolicy.REQUIRED),
        Reason.BAD_PROOF,
        "keywell.identity.max-ticket");
    assertRefusal(
        refusal(astrid, new Ticket(ProofType.SAML, "PHg+", null), IdentityPolicy.REQUIRED),
        Reason.PROOF_UNTRUSTED,
        "keywell.identity.providers-file");
    assertThat(seen).isNull();
  }

  @Test
  void aTicketIsNotPrinted() {
    assertThat(PROOF.toString()).doesNotContain("a.b.c");
  }

  private ProvenIdentity verify(String ticket, ProofContext context) {
    seen = context;
    ProofRefusal reason = refusal;
    if (reason != null) {
      throw new ProofRefusedException(reason, "because");
    }
    List<Attested> attributes =
        attested.entrySet().stream()
            .map(entry ->
                new Attested("a claim", entry.getKey(), entry.getValue(), entry.getValue()))
            .toList();
    return new ProvenIdentity(
        "https://idp", NOW, "loa3", "1", new byte[32], NOW.plusSeconds(60), attributes);
  }

  private SignerIdentities.Signer resolve(
      @Nullable SubjectParts signer, @Nullable Ticket proof, IdentityPolicy policy) {
    Caller all = Caller.onLoopback();
    Caller caller =
        new Caller("tax-portal", all.roles(), all.keySpecs(), List.of(), policy, all.limits());
    SigningOrder order =
        new SigningOrder(
            null,
            new SigningForm.Bare(),
            DigestAlgorithm.SHA_256,
            List.of(new byte[32]),
            null,
            null,
            null,
            signer,
            proof,
            null,
            null);
    return identities.resolve(order, caller, UUID.randomUUID(), PATIENCE);
  }

  private Refusal refusal(
      @Nullable SubjectParts signer, @Nullable Ticket proof, IdentityPolicy policy) {
    return catchThrowableOfType(RefusedException.class, () -> resolve(signer, proof, policy))
        .refusal();
  }

  private static void assertRefusal(Refusal refused, Reason reason, String naming) {
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.detail()).contains(naming);
  }

  private static SubjectParts signer(
      @Nullable String commonName, @Nullable String serialNumber, @Nullable String country) {
    return new SubjectParts()
        .put(SubjectAttribute.COMMON_NAME, commonName)
        .put(SubjectAttribute.SERIAL_NUMBER, serialNumber)
        .put(SubjectAttribute.COUNTRY, country);
  }
}
