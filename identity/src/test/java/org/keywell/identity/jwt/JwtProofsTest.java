package org.keywell.identity.jwt;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.keywell.testkit.jwt.Issuer.ISSUER;
import static org.keywell.testkit.jwt.Issuer.LOA3;
import static org.keywell.testkit.jwt.Issuer.claims;
import static org.keywell.testkit.jwt.Issuer.ticket;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEObject;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.EncryptedJWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.math.BigInteger;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.AttributeRule;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.ProvenIdentity.Attested;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.keywell.identity.RequestBinding;
import org.keywell.testkit.jwt.Issuer;
import org.keywell.testkit.jwt.JwksServer;

/** Each attack on a ticket that is known from RFC 8725, on real keys behind a real URL. */
@Timeout(60)
final class JwtProofsTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final RSAKey RSA = Issuer.rsa("rsa-1");
  private static final ECKey EC = Issuer.ec("ec-1");
  private static final ECKey STRANGER = Issuer.ec("ec-1");

  private final JwksServer jwks = new JwksServer(RSA, EC);
  private final JwksServer elsewhere = new JwksServer(STRANGER);
  private final ProviderDocuments documents = new ProviderDocuments(Duration.ofSeconds(3));
  private final JwtProofs proofs = proofs(null);

  @AfterEach
  void close() {
    proofs.close();
    documents.close();
    jwks.close();
    elsewhere.close();
  }

  @Test
  void aGoodTicketProvesWhoSigns() {
    for (String ticket : List.of(ticket(RSA, good()), ticket(EC, good()))) {
      ProvenIdentity proven = verify(ticket);

      assertThat(proven.provider()).isEqualTo(ISSUER);
      assertThat(proven.levelOfAssurance()).isEqualTo(LOA3);
      assertThat(proven.authenticated()).isEqualTo(NOW.minusSeconds(15));
      assertThat(proven.usableUntil()).isEqualTo(NOW.minusSeconds(10).plusSeconds(120 + 30));
      assertThat(proven.attributes())
          .containsExactly(
              new Attested(
                  "name", SubjectAttribute.COMMON_NAME, "Astrid Exempel", "Astrid Exempel"),
              new Attested(
                  "pnr", SubjectAttribute.SERIAL_NUMBER, "PNOSE-197001011234", "197001011234"));
    }
    assertThat(jwks.fetches()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
  void eachAlgorithmOfTheListIsTaken(String algorithm) {
    assertThat(
            verify(ticket(RSA, good(), _ -> new JWSHeader.Builder(JWSAlgorithm.parse(algorithm))))
                .provider())
        .isEqualTo(ISSUER);
  }

  @Test
  void oneThatAProviderDoesNotUseIsNot() {
    JwtProofs onlyEc = proofs(null, Set.of("ES256"));

    assertThat(verify(onlyEc, ticket(EC, good())).provider()).isEqualTo(ISSUER);
    assertThat(refusal(onlyEc, ticket(RSA, good()))).isEqualTo(ProofRefusal.UNTRUSTED);
    onlyEc.close();
  }

  @Test
  void forged() {
    assertRefused(ticket(STRANGER, good()), ProofRefusal.UNTRUSTED);
  }

  @Test
  void changedAfterItWasSigned() {
    Base64URL[] parts = parts(ticket(EC, good()));
    String other =
        Base64URL.encode(claims(NOW).claim("name", "Bertil Exempel").build().toString()).toString();

    assertRefused(parts[0] + "." + other + "." + parts[2], ProofRefusal.UNTRUSTED);
  }

  /** CVE-2022-21449: a signature of two zeros fits any text. */
  @Test
  void aSignatureOfZeros() {
    Base64URL[] parts = parts(ticket(EC, good()));

    assertRefused(
        parts[0] + "." + parts[1] + "." + Base64URL.encode(new byte[64]), ProofRefusal.UNTRUSTED);
  }

  @Test
  void expired() {
    assertRefused(good(NOW.minusSeconds(151)), ProofRefusal.NOT_VALID_NOW);
    assertThat(verify(ticket(EC, good(NOW.minusSeconds(149))))).isNotNull();
  }

  @Test
  void notValidYet() {
    assertRefused(
        claims(NOW).notBeforeTime(Date.from(NOW.plusSeconds(31))).build(),
        ProofRefusal.NOT_VALID_NOW);
    assertRefused(good(NOW.plusSeconds(31)), ProofRefusal.NOT_VALID_NOW);
    assertRefused(
        claims(NOW).claim("auth_time", NOW.getEpochSecond() + 31).build(),
        ProofRefusal.NOT_VALID_NOW);
  }

  /** However long the provider lets it live. */
  @Test
  void tooLongAgo() {
    Instant aYearOn = NOW.plus(Duration.ofDays(365));

    assertRefused(
        claims(NOW.minusSeconds(331)).expirationTime(Date.from(aYearOn)).build(),
        ProofRefusal.NOT_VALID_NOW);
    assertRefused(
        claims(NOW).claim("auth_time", NOW.getEpochSecond() - 331).build(),
        ProofRefusal.NOT_VALID_NOW);
    assertThat(
            verify(ticket(EC, claims(NOW).expirationTime(Date.from(aYearOn)).build()))
                .usableUntil())
        .isEqualTo(NOW.plusSeconds(300 + 30 - 5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"exp", "iat"})
  void timesAreRequired(String claim) {
    assertRefused(claims(NOW).claim(claim, null).build(), ProofRefusal.MALFORMED);
  }

  @Test
  void wrongAudience() {
    assertRefused(
        claims(NOW).audience("https://other.example").build(), ProofRefusal.WRONG_AUDIENCE);
    assertRefused(
        claims(NOW).audience(List.of(Issuer.AUDIENCE, "https://other.example")).build(),
        ProofRefusal.WRONG_AUDIENCE);
    assertRefused(claims(NOW).audience((String) null).build(), ProofRefusal.WRONG_AUDIENCE);
  }

  @Test
  void wrongIssuer() {
    for (String issuer : Arrays.asList(ISSUER + "/", "https://LOGIN.example", "", null)) {
      assertRefused(claims(NOW).issuer(issuer).build(), ProofRefusal.UNTRUSTED);
    }
  }

  @Test
  void algNone() {
    assertRefused(new PlainJWT(good()).serialize(), ProofRefusal.UNTRUSTED);
    Base64URL[] parts = parts(ticket(EC, good()));
    for (String alg : List.of("none", "None", "NONE", "nOnE", "")) {
      String header = Base64URL.encode("{\"alg\":\"" + alg + "\"}").toString();
      assertThat(List.of(ProofRefusal.UNTRUSTED, ProofRefusal.MALFORMED))
          .contains(
              refusal(proofs, header + "." + parts[1] + "."),
              refusal(proofs, header + "." + parts[1] + "." + parts[2]));
    }
  }

  /** The public key, in each form that a verifier might take for a secret. */
  @Test
  void hmacWithThePublicKey() throws Exception {
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.encode(RSA.toRSAPublicKey().getEncoded())
            + "\n-----END PUBLIC KEY-----\n";
    for (byte[] secret :
        List.of(
            RSA.toRSAPublicKey().getEncoded(),
            RSA.getModulus().decode(),
            pem.getBytes(US_ASCII),
            RSA.toPublicJWK().toJSONString().getBytes(UTF_8))) {
      for (JWSAlgorithm mac : List.of(JWSAlgorithm.HS256, JWSAlgorithm.HS512)) {
        SignedJWT forged = new SignedJWT(new JWSHeader.Builder(mac).keyID("rsa-1").build(), good());
        forged.sign(new MACSigner(secret));
        assertRefused(forged.serialize(), ProofRefusal.UNTRUSTED);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "' OR '1'='1",
        "ec-1'; DROP TABLE used_proof; --",
        "../../../../dev/null",
        "/dev/null",
        "file:///etc/passwd",
        "ec-1\u0000",
        "EC-1",
        "",
        "*",
        "${jndi:ldap://127.0.0.1/a}"
      })
  void aKidIsATextToCompareAndNothingElse(String kid) {
    assertRefused(ticket(EC, good(), header -> header.keyID(kid)), ProofRefusal.UNTRUSTED);
    assertRefused(
        ticket(EC, good(), header -> header.keyID(elsewhere.url())), ProofRefusal.UNTRUSTED);
    assertThat(elsewhere.fetches()).isZero();
    assertThat(verify(ticket(EC, good()))).isNotNull();
  }

  @Test
  void aKeyThatTheTicketBringsOrPointsAtIsNotLookedAt() throws Exception {
    URI there = URI.create(elsewhere.url());
    for (String kid : Arrays.asList("ec-1", "unknown", null)) {
      assertRefused(
          ticket(STRANGER, good(), header -> header.keyID(kid).jwkURL(there)),
          ProofRefusal.UNTRUSTED);
      assertRefused(
          ticket(STRANGER, good(), header -> header.keyID(kid).x509CertURL(there)),
          ProofRefusal.UNTRUSTED);
      assertRefused(
          ticket(STRANGER, good(), header -> header.keyID(kid).jwk(STRANGER.toPublicJWK())),
          ProofRefusal.UNTRUSTED);
    }
    assertThat(elsewhere.fetches()).isZero();
    // Nor is it a reason to refuse what the issuer has signed.
    assertThat(verify(ticket(EC, good(), header -> header.jwkURL(there)))).isNotNull();
    assertThat(elsewhere.fetches()).isZero();
  }

  @Test
  void ofAMegabyte() {
    String large = "x".repeat(1 << 20);

    assertRefused(large, ProofRefusal.MALFORMED);
    assertRefused(large + "." + large + "." + large, ProofRefusal.MALFORMED);
    assertRefused("[".repeat(1 << 20), ProofRefusal.MALFORMED);
    String nested = Base64URL.encode("[".repeat(1 << 20)).toString();
    assertRefused(nested + ".e30.AA", ProofRefusal.MALFORMED);
    assertRefused(parts(ticket(EC, good()))[0] + "." + nested + ".AA", ProofRefusal.MALFORMED);
  }

  @Test
  void critIsNotKnownHere() {
    assertRefused(
        ticket(
            EC,
            good(),
            header -> header.criticalParams(Set.of("exp")).customParam("exp", NOW.toString())),
        ProofRefusal.MALFORMED);
    assertRefused(
        ticket(
            EC,
            good(),
            header -> header.criticalParams(Set.of("b64")).base64URLEncodePayload(true)),
        ProofRefusal.MALFORMED);
  }

  @Test
  void anotherTyp() {
    assertRefused(
        ticket(EC, good(), header -> header.type(new JOSEObjectType("at+jwt"))),
        ProofRefusal.MALFORMED);
    assertThat(verify(ticket(EC, good(), header -> header.type(null)))).isNotNull();
  }

  @Test
  void encryptedOrNested() throws Exception {
    EncryptedJWT encrypted =
        new EncryptedJWT(
            new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A128GCM), good());
    encrypted.encrypt(new RSAEncrypter(RSA));
    JWSObject nested =
        new JWSObject(
            Issuer.header(EC).contentType("JWT").build(), new Payload(ticket(EC, good())));
    nested.sign(new ECDSASigner(EC));

    assertRefused(encrypted.serialize(), ProofRefusal.MALFORMED);
    assertRefused(nested.serialize(), ProofRefusal.MALFORMED);
  }

  @Test
  void tooLittleAssurance() {
    assertRefused(
        claims(NOW).claim("acr", "http://id.elegnamnden.se/loa/1.0/loa2").build(),
        ProofRefusal.ASSURANCE_TOO_LOW);
    assertRefused(claims(NOW).claim("acr", null).build(), ProofRefusal.ASSURANCE_TOO_LOW);
    assertRefused(claims(NOW).claim("acr", List.of(LOA3)).build(), ProofRefusal.MALFORMED);
  }

  @Test
  void attributesAreTextsThatACertificateMayHave() {
    assertRefused(claims(NOW).claim("pnr", null).build(), ProofRefusal.ATTRIBUTES);
    assertRefused(claims(NOW).claim("pnr", 197001011234L).build(), ProofRefusal.ATTRIBUTES);
    assertRefused(claims(NOW).claim("name", "Astrid\u202E").build(), ProofRefusal.ATTRIBUTES);
    assertRefused(claims(NOW).claim("name", List.of("Astrid")).build(), ProofRefusal.ATTRIBUTES);
  }

  /** As in the first call of an act; what the ticket says is compared when the digests come. */
  @Test
  void boundToDigestsThatAreNotKnownYet() {
    JwtProofs bound = proofs("nonce");
    List<byte[]> digests = List.of(new byte[] {1}, new byte[] {2});
    String nonce = RequestBinding.of("SHA-256", digests);
    ProofContext unknown = new ProofContext(NOW, UUID.randomUUID(), "SHA-256", List.of());

    ProvenIdentity proven =
        bound.verify(ticket(EC, claims(NOW).claim("nonce", nonce).build()), unknown);

    assertThat(proven.mayServe("SHA-256", digests)).isTrue();
    assertThat(proven.mayServe("SHA-256", digests.reversed())).isFalse();
    assertThat(proven.mayServe("SHA-256", digests.subList(0, 1))).isFalse();
    assertThat(proven.mayServe("SHA-512", digests)).isFalse();
    String without = ticket(EC, claims(NOW).build());
    assertThatThrownBy(() -> bound.verify(without, unknown))
        .isInstanceOfSatisfying(
            ProofRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(ProofRefusal.NOT_BOUND));
    bound.close();
  }

  /** As docs/API.md has it, by openssl. */
  @Test
  void boundToADocument() {
    JwtProofs bound = proofs("nonce");
    String nonce = "jLy4Alb3TsA4VUIm9rzAbNx5JbxTVIeKeAKmkq-wxH8";

    assertThat(verify(bound, ticket(EC, claims(NOW).claim("nonce", nonce).build()))).isNotNull();
    for (@Nullable Object other :
        Arrays.asList("", nonce + "=", nonce.toLowerCase(Locale.ROOT), null)) {
      assertThat(refusal(bound, ticket(EC, claims(NOW).claim("nonce", other).build())))
          .isEqualTo(ProofRefusal.NOT_BOUND);
    }
    bound.close();
  }

  @Test
  void oneTicketHasOneIdHoweverItIsSpelled() throws Exception {
    JWTClaimsSet named = good();
    assertThat(verify(ticket(EC, named)).sha256()).isEqualTo(verify(ticket(RSA, named)).sha256());
    assertThat(verify(ticket(EC, good())).sha256())
        .isNotEqualTo(verify(ticket(EC, named)).sha256());

    String nameless = ticket(EC, claims(NOW).jwtID(null).build());
    String respelled = withOtherSignature(nameless);
    assertThat(respelled).isNotEqualTo(nameless);
    assertThat(verify(respelled).sha256()).isEqualTo(verify(nameless).sha256());
    assertThat(verify(nameless).reference()).matches("sha256:[0-9a-f]{64}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "å", "a\nb", "\u0000"})
  void anIdIsPlain(String id) {
    assertRefused(claims(NOW).jwtID(id).build(), ProofRefusal.MALFORMED);
    assertRefused(claims(NOW).jwtID("x".repeat(257)).build(), ProofRefusal.MALFORMED);
  }

  /** Whatever comes, the answer is a refusal; or it is the same ticket, its signature respelled. */
  @Test
  void junk() {
    Random random = new Random(20261122);
    String good = ticket(EC, good());
    byte[] id = verify(good).sha256();
    for (int i = 0; i < 5_000; i++) {
      char[] ticket = good.toCharArray();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        ticket[random.nextInt(ticket.length)] =
            random.nextBoolean()
                ? (char) random.nextInt(128)
                : "._-=Aé{\"".charAt(random.nextInt(8));
      }
      String changed = new String(ticket);
      try {
        assertThat(verify(changed).sha256()).isEqualTo(id);
      } catch (ProofRefusedException e) {
        assertThat(e.detail()).isNotBlank();
      }
    }
  }

  private static String withOtherSignature(String ticket) throws Exception {
    SignedJWT parsed = SignedJWT.parse(ticket);
    byte[] signature = parsed.getSignature().decode();
    BigInteger order = EC.toECPublicKey().getParams().getOrder();
    BigInteger s = new BigInteger(1, Arrays.copyOfRange(signature, 32, 64));
    byte[] other = order.subtract(s).toByteArray();
    byte[] changed = Arrays.copyOf(signature, 64);
    Arrays.fill(changed, 32, 64, (byte) 0);
    int length = Math.min(32, other.length);
    System.arraycopy(other, other.length - length, changed, 64 - length, length);
    return ticket.substring(0, ticket.lastIndexOf('.') + 1) + Base64URL.encode(changed);
  }

  private static Base64URL[] parts(String ticket) {
    try {
      return JOSEObject.split(ticket);
    } catch (ParseException e) {
      throw new AssertionError(e);
    }
  }

  private static JWTClaimsSet good() {
    return good(NOW.minusSeconds(10));
  }

  private static JWTClaimsSet good(Instant at) {
    return claims(at).build();
  }

  private JwtProofs proofs(@Nullable String bindingClaim) {
    return proofs(bindingClaim, JwtProviderSettings.ALGORITHMS);
  }

  private JwtProofs proofs(@Nullable String bindingClaim, Set<String> algorithms) {
    return new JwtProofs(
        List.of(settings(jwks.url(), bindingClaim, algorithms)), documents, InstantSource.system());
  }

  static JwtProviderSettings settings(
      String jwks, @Nullable String bindingClaim, Set<String> algorithms) {
    return new JwtProviderSettings(
        ISSUER,
        ProviderAddress.of(jwks),
        List.of(Issuer.AUDIENCE),
        algorithms,
        List.of("JWT"),
        List.of(LOA3),
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        bindingClaim,
        Duration.ofMinutes(5),
        Duration.ofHours(1),
        List.of(
            new AttributeRule(SubjectAttribute.COMMON_NAME, "name", null, null, false),
            new AttributeRule(SubjectAttribute.SERIAL_NUMBER, "pnr", "PNOSE", null, false)));
  }

  private ProvenIdentity verify(String ticket) {
    return verify(proofs, ticket);
  }

  private static ProvenIdentity verify(JwtProofs by, String ticket) {
    byte[] digest = new byte[32];
    Arrays.fill(digest, (byte) 0x5A);
    return by.verify(ticket, new ProofContext(NOW, UUID.randomUUID(), "SHA-256", List.of(digest)));
  }

  private static ProofRefusal refusal(JwtProofs by, String ticket) {
    return catchThrowableOfType(ProofRefusedException.class, () -> verify(by, ticket)).reason();
  }

  private void assertRefused(JWTClaimsSet claims, ProofRefusal reason) {
    assertRefused(ticket(EC, claims), reason);
  }

  private void assertRefused(String ticket, ProofRefusal reason) {
    assertThat(refusal(proofs, ticket)).isEqualTo(reason);
  }
}
