package org.keywell.ca.ocsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.ocsp.CertificateStatus.Good;
import org.keywell.ca.ocsp.CertificateStatus.Revoked;
import org.keywell.ca.ocsp.CertificateStatus.Unknown;
import org.keywell.ca.ocsp.OcspAnswer.Answered;
import org.keywell.ca.ocsp.OcspAnswer.Failed;
import org.keywell.ca.ocsp.OcspAnswer.Failure;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.ServiceUse;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.testkit.OpenSsl;

/** Requests made by openssl, and answers verified by it. */
final class OcspUnitTest {

  private static final Duration VALIDITY = Duration.ofMinutes(10);
  private static final Duration YEAR = Duration.ofDays(365);
  private static final URI LISTS = URI.create("http://ca.example.org/crl/");
  private static final URI RESPONDERS = URI.create("http://ca.example.org/ocsp/");

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final IssuingKey ca = SoftwareCa.issuingKey(CaKeySpec.EC_P256);
  private final OcspUnit unit = SampleUnit.of(ca, YEAR);
  private final Path files;
  private final OpenSsl openssl;
  private X509Certificate leaf;

  OcspUnitTest(@TempDir Path files) {
    this.files = files;
    this.openssl = new OpenSsl(files);
  }

  @BeforeEach
  void write() throws Exception {
    leaf = issued(new ProfileBuilder().crlsByDay(true));
    openssl.write("root.pem", PemCertificates.write(List.of(ca.chain().getLast())));
    openssl.write("issuing.pem", PemCertificates.write(List.of(ca.certificate())));
    openssl.write("leaf.pem", PemCertificates.write(List.of(leaf)));
  }

  private X509Certificate issued(ProfileBuilder profile) {
    return Certificates.of(
        new BouncyCastleCertificateAuthority(
                ca,
                new CertificateProfiles(
                    Map.of(CertificateProfiles.STANDARD, CertificateProfile.of(profile.settings())),
                    Optional.of(LISTS),
                    Optional.of(RESPONDERS)),
                SigningLimits.defaults(),
                InstantSource.system(),
                new SecureRandom())
            .certify(
                SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Astrid Exempel"))));
  }

  private OcspRequest request(String... options) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("ocsp", "-reqout", "request.der", "-issuer", "issuing.pem"));
    command.addAll(List.of(options));
    openssl.run(command.toArray(String[]::new));
    return OcspRequest.parse(Files.readAllBytes(files.resolve("request.der"))).orElseThrow();
  }

  private OcspAnswer answer(OcspRequest request, CertificateStatus status) {
    return unit.answer(request, _ -> status, now, VALIDITY);
  }

  private String verdict(OcspAnswer answer, String... options) throws Exception {
    Files.write(files.resolve("answer.der"), answer.response());
    List<String> command =
        new ArrayList<>(List.of("ocsp", "-respin", "answer.der", "-CAfile", "root.pem"));
    command.addAll(List.of(options));
    command.addAll(List.of("-no_nonce", "-issuer", "issuing.pem", "-cert", "leaf.pem"));
    return openssl.attempt(command.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-sha1", "-sha256"})
  void opensslVerifiesWhatItAskedFor(String digest) throws Exception {
    OcspRequest request = request(digest, "-cert", "leaf.pem");

    assertThat(verdict(answer(request, new Good()), digest))
        .contains("Response verify OK", "leaf.pem: good", "This Update", "Next Update");
    assertThat(
            verdict(
                answer(
                    request,
                    new Revoked(
                        new Revocation(
                            leaf.getSerialNumber(), now, RevocationReason.KEY_COMPROMISE))),
                digest))
        .contains("leaf.pem: revoked", "Reason: keyCompromise");
    assertThat(
            verdict(
                answer(
                    request,
                    new Revoked(
                        new Revocation(leaf.getSerialNumber(), now, RevocationReason.UNSPECIFIED))),
                digest))
        .contains("leaf.pem: revoked")
        .doesNotContain("Reason");
    assertThat(verdict(answer(request, new Unknown()), digest)).contains("leaf.pem: unknown");
  }

  @Test
  void theNonceComesBackAndOnlyWithoutOneTheAnswerMayBeRepeated() throws Exception {
    OcspRequest with = request("-cert", "leaf.pem");
    OcspAnswer own = answer(with, new Good());
    assertThat(verdict(own)).contains("leaf.pem: good");
    var nonce = OCSPObjectIdentifiers.id_pkix_ocsp_nonce;
    assertThat(content(own).getExtension(nonce))
        .isNotNull()
        .isEqualTo(
            new OCSPReq(Files.readAllBytes(files.resolve("request.der"))).getExtension(nonce));
    assertThat(with.repeatable()).isEmpty();
    assertThat(((Answered) own).repeatable()).isFalse();

    OcspRequest without = request("-no_nonce", "-cert", "leaf.pem");
    OcspAnswer repeated = answer(without, new Good());
    assertThat(verdict(repeated)).contains("leaf.pem: good");
    assertThat(without.repeatable())
        .isEqualTo(request("-no_nonce", "-cert", "leaf.pem").repeatable());
    assertThat(without.repeatable()).isPresent();
    assertThat(((Answered) repeated).repeatable()).isTrue();
    assertThat(((Answered) answer(without, new Unknown())).repeatable())
        .as("it may be issued the next moment")
        .isFalse();
  }

  @Test
  void severalCertificatesAreAnsweredInTheirOrder() throws Exception {
    OcspRequest request = request("-serial", "1", "-cert", "leaf.pem", "-serial", "3");

    Answered answered =
        (Answered)
            unit.answer(
                request,
                serial -> serial.equals(BigInteger.ONE) ? new Unknown() : new Good(),
                now,
                VALIDITY);

    assertThat(answered.statuses()).containsExactly(new Unknown(), new Good(), new Good());
    assertThat(answered.repeatable()).isFalse();
    assertThat(verdict(answered)).contains("leaf.pem: good");
  }

  @Test
  void aSerialNumberThatNoCertificateHasIsNotLookedFor() throws Exception {
    Function<BigInteger, CertificateStatus> none =
        serial -> {
          throw new AssertionError("looked for " + serial);
        };
    for (String serial : List.of("0", "-5", "0x" + "f".repeat(100))) {
      Answered answered = (Answered) unit.answer(request("-serial", serial), none, now, VALIDITY);
      assertThat(answered.statuses()).containsExactly(new Unknown());
    }
  }

  @Test
  void certificatesOfAnotherIssuerAreNotAnsweredFor() throws Exception {
    IssuingKey other = SoftwareCa.issuingKey(CaKeySpec.EC_P256);
    openssl.write("issuing.pem", PemCertificates.write(List.of(other.certificate())));

    OcspAnswer answer = answer(request("-serial", "5"), new Good());

    assertThat(answer).isEqualTo(new Failed(Failure.UNAUTHORIZED));
    assertThat(verdict(answer)).contains("unauthorized (6)");
  }

  @Test
  void aKeyThatCannotSignMakesClientsTryLater() throws Exception {
    IssuingKey key = SoftwareCa.certified(ServiceUse.OCSP, ca, LISTS, YEAR);
    OcspUnit away = new OcspUnit(_ -> Optional.empty(), key.chain());

    OcspAnswer answer = away.answer(request("-serial", "5"), _ -> new Good(), now, VALIDITY);

    assertThat(answer).isEqualTo(new Failed(Failure.TRY_LATER));
    assertThat(verdict(answer)).contains("trylater (3)");
  }

  @Test
  void noAnswerOutlivesTheUnitsCertificate() throws Exception {
    OcspUnit ending = SampleUnit.of(ca, Duration.ofMinutes(5));
    OcspRequest request = request("-cert", "leaf.pem");

    Answered last = (Answered) ending.answer(request, _ -> new Good(), now, VALIDITY);
    assertThat(Duration.between(now, last.nextUpdate()))
        .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(6));
    assertThat(ending.answer(request, _ -> new Good(), now.plus(VALIDITY), VALIDITY))
        .isEqualTo(new Failed(Failure.INTERNAL_ERROR));
  }

  @Test
  void theAnswerNamesItsSignerByTheKeyAndHasItsCertificate() throws Exception {
    OcspAnswer answer = answer(request("-cert", "leaf.pem"), new Good());

    BasicOCSPResp content = content(answer);
    assertThat(content.getResponderId().toASN1Primitive().getKeyHash()).hasSize(20);
    assertThat(content.getCerts()).hasSize(1);
    var certificate = content.getCerts()[0];
    assertThat(certificate.getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nocheck)).isNotNull();
    openssl.write(
        "unit.pem",
        PemCertificates.write(
            List.of(new JcaX509CertificateConverter().getCertificate(certificate))));
    assertThat(openssl.run("x509", "-in", "unit.pem", "-noout", "-text"))
        .contains("Extended Key Usage: \n                OCSP Signing\n")
        .doesNotContain("CRL Distribution");
  }

  private static BasicOCSPResp content(OcspAnswer answer) throws Exception {
    return (BasicOCSPResp) new OCSPResp(answer.response()).getResponseObject();
  }

  @Test
  void anotherCertificateIsRefused() {
    IssuingKey stamps = SoftwareCa.certified(ServiceUse.TIME_STAMPS, ca, LISTS, YEAR);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OcspUnit(_ -> Optional.empty(), stamps.chain()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OcspUnit(_ -> Optional.empty(), ca.chain()));
  }

  @Test
  void signersCertificatesNameTheResponderIfTheyNameAList() throws Exception {
    assertThat(openssl.run("x509", "-in", "leaf.pem", "-noout", "-ocsp_uri"))
        .isEqualTo(RESPONDERS + unit.issuer() + "\n");

    openssl.write(
        "leaf.pem", PemCertificates.write(List.of(issued(new ProfileBuilder().crlsByDay(false)))));
    assertThat(openssl.run("x509", "-in", "leaf.pem", "-noout", "-ocsp_uri")).isEmpty();
  }
}
