package org.keywell.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.identity.ProofVerifiers;
import org.keywell.json.SignRequestBody.IdentityProof;
import org.keywell.json.SignRequestBody.Signer;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.settings.SignProperties;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.IdentityPolicy;
import org.keywell.signing.caller.Role;
import org.keywell.signing.request.Container;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.signing.sign.ProfileChoice;
import org.keywell.signing.sign.RequestIntake;
import org.keywell.signing.sign.SignerIdentities;
import org.springframework.util.unit.DataSize;

final class SignRequestParserTest {

  private static final SignProperties SETTINGS =
      new SignProperties(
          1,
          150,
          Duration.ofSeconds(3),
          Duration.ofSeconds(60),
          DataSize.ofKilobytes(16),
          10,
          false);
  private static final Set<KeySpec> SERVED = Set.of(KeySpec.RSA_2048, KeySpec.EC_P256);

  private static final ProfileChoice PROFILES =
      new ProfileChoice(
          new CertificateProfiles(
              Map.of(
                  "standard", CertificateProfile.of(ProfileSettings.defaults()),
                  "person", new ProfileBuilder().subject("etsi-natural-person").profile())),
          false);

  /** Nobody's tickets are trusted. */
  private static final SignerIdentities IDENTITIES =
      new SignerIdentities(new ProofVerifiers(Map.of(), 100, 1), InstantSource.system());

  private final SignRequestParser parser =
      new SignRequestParser(new RequestIntake(SETTINGS, SERVED::contains, PROFILES, IDENTITIES));

  /** A body whose fields a test changes one at a time. */
  private static final class Body {
    @Nullable String requestId = "0198e1a2-0000-7000-8000-0123456789ab";
    @Nullable String digestAlgorithm = "SHA-256";
    @Nullable String digest = base64(32);
    @Nullable List<@Nullable String> digests;
    @Nullable String container;
    @Nullable String signatureAlgorithm;
    @Nullable String keySpec;
    @Nullable String profile;
    @Nullable Signer signer = signer("Astrid Exempel");
    @Nullable IdentityProof identityProof;
    @Nullable Long deadlineMillis;

    SignRequestBody build() {
      return new SignRequestBody(
          requestId,
          digestAlgorithm,
          digest,
          digests,
          container,
          signatureAlgorithm,
          keySpec,
          profile,
          signer,
          identityProof,
          deadlineMillis);
    }
  }

  private final Body body = new Body();

  @Test
  void whatIsNotNamedHasADefault() {
    body.requestId = null;
    SignRequest request = parse();

    assertThat(request.requestId()).isNotEqualTo(parse().requestId());
    assertThat(request.keySpec()).isEqualTo(KeySpec.RSA_2048);
    assertThat(request.scheme()).isEqualTo(SignatureScheme.RSASSA_PKCS1_V1_5);
    assertThat(request.deadline()).isEqualTo(Duration.ofSeconds(3));
    assertThat(request.profile()).isEqualTo("standard");
    assertThat(request.testId()).isNull();
  }

  @Test
  void takesEachField() {
    body.digestAlgorithm = "SHA-512";
    body.digest = base64(64);
    body.keySpec = "EC-P256";
    body.deadlineMillis = 60_000L;
    body.signer =
        new Signer("Astrid Exempel", "Astrid", "Exempel", "PNOSE-197001011234", "O", "OU", "SE");
    SignRequest request =
        parser.parse(body.build(), caller("CN=caller", Role.SIGN), "peak:1.0_a-B");

    assertThat(request.requestId()).hasToString("0198e1a2-0000-7000-8000-0123456789ab");
    assertThat(request.digestAlgorithm()).isEqualTo(DigestAlgorithm.SHA_512);
    assertThat(request.digests().getFirst()).hasSize(64);
    assertThat(request.scheme()).isEqualTo(SignatureScheme.ECDSA);
    assertThat(request.deadline()).isEqualTo(Duration.ofMinutes(1));
    assertThat(request.subject())
        .isEqualTo(
            new Subject(
                "Astrid Exempel", "Astrid", "Exempel", "PNOSE-197001011234", "O", "OU", "SE"));
    assertThat(request.caller()).isEqualTo(caller("CN=caller", Role.SIGN));
    assertThat(request.testId()).isEqualTo("peak:1.0_a-B");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "0198e1a200007000800001234567890ab", "1-1-1-1-1", "{}"})
  void aRequestIdIsAUuidInItsUsualForm(String id) {
    body.requestId = id;

    assertRefused(Reason.BAD_REQUEST_ID, "requestId");
  }

  @Test
  void requiredFieldsAreNamed() {
    body.digestAlgorithm = null;
    assertRefused(Reason.MISSING_FIELD, "digestAlgorithm");
    body.digestAlgorithm = "SHA-256";
    body.digest = null;
    assertRefused(Reason.MISSING_FIELD, "digest ");
    body.digest = base64(32);
    body.signer = null;
    assertRefused(Reason.MISSING_FIELD, "signer ");
    body.signer = signer(null);
    assertRefused(Reason.MISSING_FIELD, "signer.commonName");
  }

  @Test
  void unknownNamesListTheKnownOnes() {
    body.digestAlgorithm = "sha-256";
    assertRefused(Reason.UNKNOWN_DIGEST_ALGORITHM, "SHA-256, SHA-384, SHA-512");
    body.digestAlgorithm = "SHA-256";
    body.signatureAlgorithm = "RSA";
    assertRefused(Reason.UNKNOWN_SIGNATURE_ALGORITHM, "RSASSA-PSS");
    body.signatureAlgorithm = null;
    body.keySpec = "RSA-1024";
    assertRefused(Reason.UNKNOWN_KEY_SPEC, "RSA-2048");
  }

  @ParameterizedTest
  @CsvSource({"SHA-256, 31", "SHA-256, 33", "SHA-384, 32", "SHA-512, 0"})
  void aDigestHasItsAlgorithmsLength(String algorithm, int length) {
    body.digestAlgorithm = algorithm;
    body.digest = base64(length);

    assertRefused(Reason.BAD_DIGEST, "digest has " + length + " bytes");
  }

  @Test
  void aDigestIsBase64() {
    body.digest = "!" + base64(32);

    assertRefused(Reason.BAD_DIGEST, "base64");
  }

  /** Another text of the same digest would be another request to code that compares texts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= ",
        "AAAAAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAAA=",
        "____________________________________________"
      })
  void aDigestIsCanonicalBase64(String digest) {
    body.digest = digest;

    assertRefused(Reason.BAD_DIGEST, "base64");
  }

  @Test
  void severalDigestsStandInPlaceOfOne() {
    body.digest = null;
    body.digests = List.of(base64(32), base64(32, 1), base64(32));
    assertThat(parse().digests())
        .containsExactly(bytes(base64(32)), bytes(base64(32, 1)), bytes(base64(32)));

    body.digests = Collections.nCopies(SETTINGS.maxDigests(), base64(32));
    assertThat(parse().digests()).hasSize(10);
    body.digests = Collections.nCopies(SETTINGS.maxDigests() + 1, base64(32));
    assertRefused(Reason.DIGEST_COUNT, "keywell.sign.max-digests");
    body.digests = List.of();
    assertRefused(Reason.DIGEST_COUNT, "keywell.sign.max-digests");
    body.digests = List.of(base64(32));
    body.digest = base64(32);
    assertRefused(Reason.DIGEST_COUNT, "digest and digests");
  }

  @Test
  void ofSeveralDigestsTheBadOneIsNamed() {
    body.digest = null;
    body.digests = List.of(base64(32), base64(31));
    assertRefused(Reason.BAD_DIGEST, "digests[1] has 31 bytes");
    body.digests = List.of(base64(32), "!");
    assertRefused(Reason.BAD_DIGEST, "digests[1] is not base64");
    body.digests = Arrays.asList(base64(32), null);
    assertRefused(Reason.MISSING_FIELD, "digests[1]");
  }

  @Test
  void aContainerIsAskedForByItsName() {
    assertThat(parse().form()).isEqualTo(new SigningForm.Bare());
    body.container = "CAdES-BASELINE-B";
    assertThat(parse().form()).isEqualTo(new SigningForm.Contained(Container.CADES_BASELINE_B));
    body.container = "PAdES-BASELINE-B";
    assertThat(parse().form()).isEqualTo(new SigningForm.Contained(Container.PADES_BASELINE_B));
    body.container = "PAdES-BASELINE-T";
    assertRefused(Reason.UNKNOWN_CONTAINER, "CAdES-BASELINE-B, PAdES-BASELINE-B");
  }

  /** Records of former versions have to be found by the requests that made them. */
  @Test
  void whatCouldBeAskedForBeforeHasTheFingerprintThatItHad() {
    String before = "16299f44343a8b33c9908b4455bd56ce5d780cb060e9086575bc9d8a846bc468";
    assertThat(HexFormat.of().formatHex(parse().fingerprint())).isEqualTo(before);
    body.digests = List.of(base64(32));
    body.digest = null;
    assertThat(HexFormat.of().formatHex(parse().fingerprint()))
        .as("one digest, whichever way it is written")
        .isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"RSA-2048, ECDSA", "EC-P256, RSASSA-PSS", "EC-P256, RSASSA-PKCS1-v1_5"})
  void keyAndSchemeFit(String keySpec, String scheme) {
    body.keySpec = keySpec;
    body.signatureAlgorithm = scheme;

    assertRefused(Reason.ALGORITHM_MISMATCH, scheme);
  }

  @Test
  void aKeyWithoutAPoolIsRefusedAsDefaultToo() {
    body.keySpec = "EC-P384";
    assertRefused(Reason.UNKNOWN_KEY_SPEC, "keywell.pool.specs.EC-P384.max-stored");

    body.keySpec = null;
    SignRequestParser onlyEc =
        new SignRequestParser(
            new RequestIntake(SETTINGS, Set.of(KeySpec.EC_P256)::contains, PROFILES, IDENTITIES));
    assertThat(
            catchThrowableOfType(
                    RefusedException.class,
                    () -> onlyEc.parse(body.build(), Caller.onLoopback(), null))
                .refusal()
                .reason())
        .isEqualTo(Reason.UNKNOWN_KEY_SPEC);
  }

  @Test
  void aCallerGetsTheKeysThatItMayAskForAsDefaultToo() {
    Caller onlyEc =
        new Caller(
            "portal",
            Set.of(Role.SIGN),
            Set.of(KeySpec.EC_P256),
            List.of(),
            IdentityPolicy.TRUSTED_CALLER,
            CallerLimits.NONE);

    for (String refused : new String[] {"RSA-2048", null}) {
      body.keySpec = refused;
      Refusal refusal =
          catchThrowableOfType(
                  RefusedException.class, () -> parser.parse(body.build(), onlyEc, null))
              .refusal();
      assertThat(refusal.reason()).isEqualTo(Reason.KEY_SPEC_NOT_ALLOWED);
      assertThat(refusal.detail()).contains("RSA-2048", "portal");
    }
    body.keySpec = "EC-P256";
    assertThat(parser.parse(body.build(), onlyEc, null).keySpec()).isEqualTo(KeySpec.EC_P256);
  }

  @Test
  void aBadSignerIsNamedAndNotQuoted() {
    body.signer = signer("Astrid\nExempel");
    assertRefused(Reason.BAD_SIGNER, "signer.commonName");
    assertThat(refusal().detail()).doesNotContain("Astrid");
    body.signer = new Signer("A", null, null, "19700101", null, null, null);
    assertRefused(Reason.BAD_SIGNER, "signer.serialNumber");
    body.signer = new Signer("A", null, null, null, null, null, "se");
    assertRefused(Reason.BAD_SIGNER, "signer.country");
  }

  /** Fullwidth letters, and a Cyrillic one among Latin ones. */
  @ParameterizedTest
  @ValueSource(strings = {"\uFF21strid Exempel", "\u0410strid Exempel"})
  void aNameThatPassesForAnotherIsRefused(String name) {
    body.signer = signer(name);
    assertRefused(Reason.BAD_SIGNER, "signer.commonName");
  }

  @Test
  void aProfileWantsAttributesOfItsSigners() {
    body.profile = "person";
    assertRefused(Reason.BAD_SIGNER, "signer.country");
    body.signer =
        new Signer("Astrid Exempel", "Astrid", null, "PNOSE-197001011234", null, null, "SE");
    assertThat(parse().profile()).isEqualTo("person");
  }

  @Test
  void aProfileIsPartOfWhatIsAskedFor() {
    body.signer =
        new Signer("Astrid Exempel", "Astrid", null, "PNOSE-197001011234", null, null, "SE");
    byte[] standard = parse().fingerprint();
    body.profile = "standard";
    assertThat(parse().fingerprint()).isEqualTo(standard);
    body.profile = "person";
    assertThat(parse().fingerprint()).isNotEqualTo(standard);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Standard", "short-lived", "../standard"})
  void aProfileThatIsNotThereIsRefused(String profile) {
    body.profile = profile;
    assertRefused(Reason.UNKNOWN_PROFILE, "person, standard");
  }

  @Test
  void aTicketHasATypeAndAValue() {
    body.identityProof = new IdentityProof("JWT", "a", null);
    assertRefused(Reason.BAD_PROOF, "identityProof.type");
    body.identityProof = new IdentityProof(null, "a", null);
    assertRefused(Reason.MISSING_FIELD, "identityProof.type");
    body.identityProof = new IdentityProof("jwt", null, null);
    assertRefused(Reason.MISSING_FIELD, "identityProof.value");
    assertThat(new IdentityProof("jwt", "a.b.c", null).toString()).doesNotContain("a.b.c");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 60_001, Long.MAX_VALUE})
  void aDeadlineOutOfRangeNamesItsLimit(long millis) {
    body.deadlineMillis = millis;

    assertRefused(Reason.BAD_DEADLINE, "keywell.sign.max-deadline");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "å", "a\u0000", "a\n"})
  void aTestIdIsPlain(String testId) {
    assertThat(
            catchThrowableOfType(
                    RefusedException.class,
                    () -> parser.parse(body.build(), Caller.onLoopback(), testId))
                .refusal()
                .reason())
        .isEqualTo(Reason.BAD_TEST_ID);
  }

  /** An id with its answer must not answer for another citizen, whatever the names look like. */
  @Test
  void subjectsThatPrintAlikeDiffer() {
    body.signer = new Signer("a, givenName=b", "c", null, null, null, null, null);
    byte[] one = parse().fingerprint();
    body.signer = new Signer("a", "b, givenName=c", null, null, null, null, null);
    assertThat(parse().fingerprint()).isNotEqualTo(one);

    body.signer = new Signer("a", "null", null, null, null, null, null);
    byte[] named = parse().fingerprint();
    body.signer = signer("a");
    assertThat(parse().fingerprint()).isNotEqualTo(named);
  }

  /**
   * Property: a body is refused or becomes a request; and requests have one fingerprint if, and
   * only if, they have one content and one caller. Ids, deadlines and test ids are not content.
   */
  @Test
  void everyBodyIsARequestOrARefusal() {
    Random random = new Random(20260301);
    Map<String, List<Object>> contents = new HashMap<>();
    int requests = 0;
    for (int i = 0; i < 50_000; i++) {
      SignRequestBody any = anyBody(random);
      String caller = pick(random, "loopback", "CN=a", "CN=a, loopback");
      SignRequest request;
      try {
        request = parser.parse(any, caller(caller, Role.SIGN), pick(random, null, "t", "t 2"));
      } catch (RefusedException e) {
        assertThat(e.refusal().detail()).isNotBlank();
        continue;
      }
      requests++;
      List<Object> content = content(request);
      String fingerprint = HexFormat.of().formatHex(request.fingerprint());
      assertThat(contents.computeIfAbsent(fingerprint, f -> content)).isEqualTo(content);
    }
    assertThat(requests).isGreaterThan(1_000);
    assertThat(contents.values()).doesNotHaveDuplicates();
  }

  private static List<Object> content(SignRequest request) {
    return List.of(
        request.caller().name(),
        request.digestAlgorithm(),
        request.digests().stream().map(HexFormat.of()::formatHex).toList(),
        request.form(),
        request.scheme(),
        request.keySpec(),
        request.profile(),
        request.subject());
  }

  private static SignRequestBody anyBody(Random random) {
    String algorithm = mostly(random, "SHA-256", () -> junk(random));
    List<@Nullable String> several = random.nextInt(3) == 0 ? anyDigests(random) : null;
    return new SignRequestBody(
        mostly(random, UUID.randomUUID().toString(), () -> junk(random)),
        algorithm,
        several == null ? anyDigest(random) : mostly(random, null, () -> anyDigest(random)),
        several,
        pick(random, null, null, null, "CAdES-BASELINE-B", "PAdES-BASELINE-B", junk(random)),
        pick(random, null, null, "RSASSA-PSS", "ECDSA", "RSASSA-PKCS1-v1_5", junk(random)),
        pick(random, null, "RSA-2048", "EC-P256", "EC-P384", junk(random)),
        pick(random, null, null, "standard", "person", junk(random)),
        mostly(random, anySigner(random), () -> null),
        mostly(random, null, () -> new IdentityProof(junk(random), junk(random), junk(random))),
        pick(random, null, 1L, 3_000L, 60_000L, random.nextLong()));
  }

  private static @Nullable String anyDigest(Random random) {
    return mostly(
        random,
        pick(random, base64(32), base64(32, 1)),
        () -> pick(random, base64(48), base64(0), junk(random)));
  }

  private static List<@Nullable String> anyDigests(Random random) {
    List<@Nullable String> digests = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      digests.add(pick(random, base64(32), base64(32, 1)));
    }
    return digests;
  }

  private static Signer anySigner(Random random) {
    return new Signer(
        mostly(random, pick(random, "a", "b", "a, surname=b"), () -> junk(random)),
        pick(random, null, null, "b", "null", "b, surname=c"),
        pick(random, null, null, "c", "null", junk(random)),
        pick(random, null, null, null, "PNOSE-197001011234", junk(random)),
        pick(random, null, null, "o", "å"),
        pick(random, null, null, "u", "\uD83D\uDE00"),
        pick(random, null, null, "SE", "NO", "XX"));
  }

  private static @Nullable String junk(Random random) {
    char[] characters = new char[random.nextInt(80)];
    for (int i = 0; i < characters.length; i++) {
      characters[i] = (char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(65_536));
    }
    return random.nextInt(4) == 0 ? null : new String(characters);
  }

  private static <T extends @Nullable Object> T mostly(
      Random random, T usual, Supplier<T> otherwise) {
    return random.nextInt(10) == 0 ? otherwise.get() : usual;
  }

  @SafeVarargs
  private static <T extends @Nullable Object> T pick(Random random, T... values) {
    return values[random.nextInt(values.length)];
  }

  private SignRequest parse() {
    return parser.parse(body.build(), Caller.onLoopback(), null);
  }

  private void assertRefused(Reason reason, String naming) {
    assertThat(refusal().reason()).isEqualTo(reason);
    assertThat(refusal().detail()).contains(naming);
  }

  private Refusal refusal() {
    return catchThrowableOfType(RefusedException.class, this::parse).refusal();
  }

  private static Caller caller(String name, Role... roles) {
    return new Caller(
        name, Set.of(roles), Set.of(), List.of(), IdentityPolicy.TRUSTED_CALLER, CallerLimits.NONE);
  }

  private static byte[] bytes(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  private static Signer signer(@Nullable String commonName) {
    return new Signer(commonName, null, null, null, null, null, null);
  }

  private static String base64(int length) {
    return base64(length, 0x5A);
  }

  private static String base64(int length, int content) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) content);
    return Base64.getEncoder().encodeToString(bytes);
  }
}
