package org.keywell.service.sign;

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
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.service.caller.Caller;
import org.keywell.service.caller.IdentityPolicy;
import org.keywell.service.identity.ProofContext;
import org.keywell.service.identity.ProofRefusal;
import org.keywell.service.identity.ProofRefusedException;
import org.keywell.service.identity.ProofType;
import org.keywell.service.identity.ProofVerifier;
import org.keywell.service.identity.ProofVerifiers;
import org.keywell.service.identity.ProvenIdentity;
import org.keywell.service.identity.ProvenIdentity.Attested;
import org.keywell.service.problem.Problem;
import org.keywell.service.problem.ProblemException;
import org.keywell.service.problem.ProblemType;
import org.keywell.service.sign.SignRequestBody.IdentityProof;
import org.keywell.service.sign.SignRequestBody.Signer;

final class SignerIdentitiesTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final IdentityProof PROOF = new IdentityProof("jwt", "a.b.c", "_r1");

  private final Map<SubjectAttribute, String> attested = new HashMap<>();
  private @Nullable ProofRefusal refusal;
  private @Nullable ProofContext seen;
  private final ProofVerifier provider = this::verify;
  private final SignerIdentities identities =
      new SignerIdentities(
          new ProofVerifiers(Map.of(ProofType.JWT, provider), 10, 1), InstantSource.fixed(NOW));

  @Test
  void aCallerVouchesOnlyIfItMay() {
    Signer astrid = signer("Astrid Exempel", null, null);

    assertThat(resolve(astrid, null, IdentityPolicy.TRUSTED_CALLER).subject())
        .isEqualTo(Subject.ofCommonName("Astrid Exempel"));
    assertThat(resolve(astrid, null, IdentityPolicy.TRUSTED_CALLER).identity()).isNull();
    assertProblem(
        refusal(astrid, null, IdentityPolicy.REQUIRED), ProblemType.PROOF_REQUIRED, "tax-portal");
    assertProblem(
        refusal(null, null, IdentityPolicy.TRUSTED_CALLER), ProblemType.MISSING_FIELD, "signer ");
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
    Signer signer = signer(commonName, serialNumber, country);

    for (IdentityPolicy policy : IdentityPolicy.values()) {
      Problem problem = refusal(signer, PROOF, policy);
      assertProblem(problem, ProblemType.SIGNER_MISMATCH, "signer." + field);
      assertThat(problem.detail()).doesNotContain("Astrid", "Bertil", "1970");
    }
  }

  /** Else a certificate that names a provider would say what that provider does not. */
  @Test
  void whatTheTicketDoesNotSayIsTakenFromWhoMayVouchOnly() {
    attested.put(SubjectAttribute.COMMON_NAME, "Astrid Exempel");
    Signer signer = signer(null, "PNOSE-197001011234", null);

    assertThat(resolve(signer, PROOF, IdentityPolicy.TRUSTED_CALLER).subject().serialNumber())
        .isEqualTo("PNOSE-197001011234");
    assertProblem(
        refusal(signer, PROOF, IdentityPolicy.REQUIRED),
        ProblemType.SIGNER_MISMATCH,
        "signer.serialNumber");
  }

  @Test
  void aCertificateHasACommonName() {
    attested.put(SubjectAttribute.SURNAME, "Exempel");

    assertProblem(
        refusal(null, PROOF, IdentityPolicy.REQUIRED), ProblemType.PROOF_ATTRIBUTES, "commonName");
  }

  @ParameterizedTest
  @EnumSource(ProofRefusal.class)
  void aTicketThatProvesNothingIsRefusedWhoeverCalls(ProofRefusal reason) {
    refusal = reason;

    for (IdentityPolicy policy : IdentityPolicy.values()) {
      Problem problem = refusal(signer("Astrid Exempel", null, null), PROOF, policy);
      assertProblem(problem, ProblemType.of(reason), "because");
      assertThat(problem.retryAfter() != null).isEqualTo(problem.type().status().value() == 503);
    }
  }

  @Test
  void whatCanBeRefusedWithoutTheTicketIs() {
    Signer astrid = signer("Astrid Exempel", null, null);

    assertProblem(
        refusal(signer("", null, null), PROOF, IdentityPolicy.REQUIRED),
        ProblemType.BAD_SIGNER,
        "signer.commonName");
    assertProblem(
        refusal(astrid, new IdentityProof("JWT", "a", null), IdentityPolicy.REQUIRED),
        ProblemType.BAD_PROOF,
        "identityProof.type");
    assertProblem(
        refusal(astrid, new IdentityProof(null, "a", null), IdentityPolicy.REQUIRED),
        ProblemType.MISSING_FIELD,
        "identityProof.type");
    assertProblem(
        refusal(astrid, new IdentityProof("jwt", null, null), IdentityPolicy.REQUIRED),
        ProblemType.MISSING_FIELD,
        "identityProof.value");
    assertProblem(
        refusal(astrid, new IdentityProof("jwt", "01234567890", null), IdentityPolicy.REQUIRED),
        ProblemType.BAD_PROOF,
        "keywell.identity.max-ticket");
    assertProblem(
        refusal(astrid, new IdentityProof("saml", "PHg+", null), IdentityPolicy.REQUIRED),
        ProblemType.PROOF_UNTRUSTED,
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
      @Nullable Signer signer, @Nullable IdentityProof proof, IdentityPolicy policy) {
    Caller all = Caller.onLoopback();
    Caller caller =
        new Caller("tax-portal", all.roles(), all.keySpecs(), List.of(), policy, all.limits());
    SignRequestBody body =
        new SignRequestBody(null, null, null, null, null, null, null, null, signer, proof, null);
    return identities.resolve(
        body, caller, UUID.randomUUID(), DigestAlgorithm.SHA_256, List.of(new byte[32]), PATIENCE);
  }

  private Problem refusal(
      @Nullable Signer signer, @Nullable IdentityProof proof, IdentityPolicy policy) {
    return catchThrowableOfType(ProblemException.class, () -> resolve(signer, proof, policy))
        .problem();
  }

  private static void assertProblem(Problem problem, ProblemType type, String naming) {
    assertThat(problem.type()).isEqualTo(type);
    assertThat(problem.detail()).contains(naming);
  }

  private static Signer signer(
      @Nullable String commonName, @Nullable String serialNumber, @Nullable String country) {
    return new Signer(commonName, null, null, serialNumber, null, null, country);
  }
}
