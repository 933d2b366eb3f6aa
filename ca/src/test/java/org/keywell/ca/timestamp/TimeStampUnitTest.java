package org.keywell.ca.timestamp;

import static java.time.temporal.ChronoUnit.MILLIS;
import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.tsp.TSPAlgorithms;
import org.bouncycastle.tsp.TimeStampRequestGenerator;
import org.bouncycastle.tsp.TimeStampResponse;
import org.bouncycastle.tsp.TimeStampToken;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.Subject;
import org.keywell.ca.timestamp.StampAnswer.Failure;
import org.keywell.ca.timestamp.StampAnswer.Granted;
import org.keywell.ca.timestamp.StampAnswer.Rejected;
import org.keywell.ca.token.CaBootstrap;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.CaSettings;
import org.keywell.ca.token.CaTokenException;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.ServiceUse;
import org.keywell.ca.token.SoftHsm;
import org.keywell.ca.token.TestSettings;
import org.keywell.ca.token.TokenKey;
import org.keywell.testkit.OpenSsl;

/** Requests made by openssl, and answers verified by it; the key is in a token. */
@Tag("softhsm")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TimeStampUnitTest {

  private static final String POLICY = "1.3.6.1.4.1.99999.1";

  /** Within the validity of a certificate that is made now. */
  private final Instant now = Instant.now().truncatedTo(SECONDS).plusNanos(123_456_000);

  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss.SSS yyyy 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final BigInteger SERIAL = new BigInteger("123456789012345678901234567890");

  private Path directory;
  private OpenSsl openssl;
  private TokenKey key;
  private TokenKey rsa;
  private String ecLabel = "";
  private TimeStampUnit unit;

  @BeforeAll
  void open(@TempDir Path files) throws IOException {
    directory = files;
    CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
    CaBootstrap bootstrap = TestSettings.bootstrap(settings);
    var _ = bootstrap.ensure();
    ecLabel = "stamp-" + settings.issuingLabel();
    key = key(bootstrap, CaKeySpec.EC_P256, ecLabel);
    rsa = key(bootstrap, CaKeySpec.RSA_3072, "rsa-" + settings.issuingLabel());
    unit = unit(Duration.ofSeconds(1));
    openssl = new OpenSsl(directory);
    openssl.write("root.pem", PemCertificates.write(List.of(key.chain().getLast())));
    openssl.write("above.pem", PemCertificates.write(key.chain().subList(1, 2)));
    openssl.write("unit.pem", PemCertificates.write(key.chain().subList(0, 1)));
    Files.writeString(directory.resolve("document"), "a document");
  }

  private static TokenKey key(CaBootstrap bootstrap, CaKeySpec spec, String label) {
    Subject name = Subject.ofCommonName("Time stamps by " + label);
    Duration tenYears = Duration.ofDays(3650);
    assertThat(bootstrap.ensureServiceKey(ServiceUse.TIME_STAMPS, spec, label, name, tenYears))
        .isTrue();
    assertThat(bootstrap.ensureServiceKey(ServiceUse.TIME_STAMPS, spec, label, name, tenYears))
        .isFalse();
    return TokenKey.open(SoftHsm.SHARED.keys(), label, spec, "bootstrap");
  }

  private TimeStampUnit unit(Duration accuracy) {
    return unit(key, accuracy);
  }

  private static TimeStampUnit unit(TokenKey key, Duration accuracy) {
    return new TimeStampUnit(
        message -> Optional.of(key.sign(message)),
        key.chain(),
        new TimeStampPolicy(POLICY, accuracy));
  }

  private byte[] query(String... options) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("ts", "-query", "-data", "document", "-out", "query"));
    arguments.addAll(List.of(options));
    openssl.run(arguments.toArray(String[]::new));
    return Files.readAllBytes(directory.resolve("query"));
  }

  private StampAnswer answer(byte[] request) {
    return unit.answer(request, Optional.of(now), SERIAL);
  }

  private String shown(StampAnswer answer) throws IOException, InterruptedException {
    Files.write(directory.resolve("answer"), answer.response());
    return openssl.run("ts", "-reply", "-in", "answer", "-text");
  }

  private void assertRejected(byte[] request, Failure failure, String inOpenssl)
      throws IOException, InterruptedException {
    StampAnswer answer = answer(request);
    assertThat(answer).isInstanceOf(Rejected.class);
    assertThat(((Rejected) answer).failure()).isEqualTo(failure);
    assertThat(shown(answer)).contains("Status: Rejected.", inOpenssl, "TST info:\nNot included");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-sha256", "-sha384", "-sha512", "-sha3-256"})
  void opensslVerifiesWhatItAskedFor(String digest) throws Exception {
    Granted granted = (Granted) answer(query(digest, "-cert"));

    assertThat(shown(granted))
        .contains("Status: Granted.", "Policy OID: " + POLICY, "Ordering: no")
        .contains("Time stamp: " + SHOWN.format(now), "Accuracy: 0x01 seconds");
    assertThat(granted.serial()).isEqualTo(SERIAL);
    assertThat(granted.time()).isEqualTo(now.truncatedTo(MILLIS));
    assertThat(
            openssl.run(
                "ts", "-verify", "-in", "answer", "-queryfile", "query", "-CAfile", "root.pem"))
        .contains("Verification: OK");
  }

  /** Some clients know no ECDSA. */
  @Test
  void opensslVerifiesWhatAnRsaKeySigned() throws Exception {
    StampAnswer answer =
        unit(rsa, Duration.ofSeconds(1))
            .answer(query("-sha256", "-cert"), Optional.of(now), SERIAL);

    assertThat(shown(answer)).contains("Status: Granted.");
    assertThat(
            openssl.run(
                "ts", "-verify", "-in", "answer", "-queryfile", "query", "-CAfile", "root.pem"))
        .contains("Verification: OK");
    X509Certificate certificate = rsa.chain().getFirst();
    assertThat(((RSAPublicKey) certificate.getPublicKey()).getModulus().bitLength())
        .isEqualTo(3072);
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.8");
    assertThat(token((Granted) answer).toCMSSignedData().getSignerInfos().getSigners())
        .allSatisfy(signer ->
            assertThat(signer.getEncryptionAlgOID())
                .isEqualTo(PKCSObjectIdentifiers.rsaEncryption.getId()));
  }

  @Test
  void aKeyOfAnotherKindIsRefused() {
    assertThatThrownBy(
            () -> TokenKey.open(SoftHsm.SHARED.keys(), ecLabel, CaKeySpec.RSA_3072, "bootstrap"))
        .isInstanceOf(CaTokenException.class)
        .hasMessageContaining("is not of the kind RSA-3072");
  }

  @Test
  void certificatesAreThereOnlyIfAskedFor() throws Exception {
    Granted granted = (Granted) answer(query("-sha256"));

    assertThat(token(granted).getCertificates().getMatches(null)).isEmpty();
    var _ = shown(granted);
    Files.writeString(
        directory.resolve("all.pem"),
        Files.readString(directory.resolve("unit.pem"))
            + Files.readString(directory.resolve("above.pem")));
    assertThat(
            openssl.run(
                "ts",
                "-verify",
                "-in",
                "answer",
                "-queryfile",
                "query",
                "-CAfile",
                "root.pem",
                "-untrusted",
                "all.pem"))
        .contains("Verification: OK");
    assertThat(
            token((Granted) answer(query("-sha256", "-cert"))).getCertificates().getMatches(null))
        .as("the root is the verifier's own")
        .hasSize(2);
  }

  private static TimeStampToken token(Granted granted) throws Exception {
    return new TimeStampResponse(granted.response()).getTimeStampToken();
  }

  /** It would be read as another time than that of the token. */
  @Test
  void theSignatureHasNoTimeOfItsOwn() throws Exception {
    TimeStampToken token = token((Granted) answer(query("-sha256", "-cert")));

    assertThat(token.getSignedAttributes().get(CMSAttributes.signingTime)).isNull();
    assertThat(token.getTimeStampInfo().getGenTime()).isEqualTo(Date.from(now.truncatedTo(MILLIS)));
  }

  @Test
  void accuracyIsToTheMillisecond() throws Exception {
    StampAnswer answer =
        unit(Duration.ofMillis(250)).answer(query("-sha256"), Optional.of(now), SERIAL);

    assertThat(shown(answer)).contains("Accuracy: unspecified seconds, 0xFA millis");
  }

  @Test
  void theUnitsCertificateIsForTimeStampsAlone() throws Exception {
    assertThat(openssl.run("x509", "-in", "unit.pem", "-noout", "-text"))
        .contains("X509v3 Extended Key Usage: critical\n                Time Stamping\n")
        .contains("X509v3 Key Usage: critical\n                Digital Signature\n");
    assertThat(
            openssl.run(
                "verify",
                "-x509_strict",
                "-purpose",
                "timestampsign",
                "-CAfile",
                "root.pem",
                "-untrusted",
                "above.pem",
                "unit.pem"))
        .contains("unit.pem: OK");
    assertThat(key.chain().getFirst().getNotAfter())
        .as("ten years were wanted, and its issuer has five")
        .isEqualTo(key.chain().get(1).getNotAfter());
  }

  @Test
  void anotherCertificateIsRefused() {
    TimeStampPolicy policy = new TimeStampPolicy(POLICY, Duration.ofSeconds(1));
    var ofTheCa = key.chain().subList(1, 3);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TimeStampUnit(_ -> Optional.empty(), ofTheCa, policy))
        .withMessageContaining("not for time stamps");
  }

  @Test
  void whatIsNotServedIsRejected() throws Exception {
    assertRejected(
        query("-sha1"), Failure.BAD_ALGORITHM, "unrecognized or unsupported algorithm identifier");
    assertRejected(
        query("-sha256", "-tspolicy", "1.2.3.4"),
        Failure.UNACCEPTED_POLICY,
        "the requested TSA policy is not supported by the TSA");
    TimeStampRequestGenerator extended = new TimeStampRequestGenerator();
    extended.addExtension(
        new ASN1ObjectIdentifier("1.2.3.4"), false, new DEROctetString(new byte[1]));
    assertRejected(
        extended.generate(TSPAlgorithms.SHA256, new byte[32]).getEncoded(),
        Failure.UNACCEPTED_EXTENSION,
        "the requested extension is not supported");
    assertRejected(
        new TimeStampRequestGenerator().generate(TSPAlgorithms.SHA256, new byte[20]).getEncoded(),
        Failure.BAD_DATA_FORMAT,
        "the data submitted has the wrong format");
  }

  @Test
  void whatIsNoRequestIsRejected() throws Exception {
    byte[] request = query("-sha256", "-cert");
    for (int length = 0; length < request.length; length++) {
      StampAnswer answer = answer(Arrays.copyOf(request, length));
      assertThat(answer).as("%s bytes", length).isInstanceOf(Rejected.class);
    }
    assertRejected(new byte[0], Failure.BAD_DATA_FORMAT, "the data submitted has the wrong format");
    assertRejected(
        Arrays.copyOf(request, request.length + 1),
        Failure.BAD_DATA_FORMAT,
        "the data submitted has the wrong format");
    request[4] = 2;
    assertRejected(request, Failure.BAD_REQUEST, "transaction not permitted or supported");
  }

  /** Whatever its bytes are, the request is wrong or the stamp is made; here, no key signs. */
  @Test
  void alteredRequestsAreAnswered() throws Exception {
    byte[] request = query("-sha256", "-cert");
    TimeStampUnit mute =
        new TimeStampUnit(
            message -> Optional.empty(),
            key.chain(),
            new TimeStampPolicy(POLICY, Duration.ofSeconds(1)));
    for (int at = 0; at < request.length; at++) {
      for (int value = 0; value < 256; value++) {
        byte[] altered = request.clone();
        altered[at] = (byte) value;
        assertThat(mute.answer(altered, Optional.of(now), SERIAL)).isInstanceOf(Rejected.class);
      }
    }
    Random random = new Random(20_261_128);
    for (int i = 0; i < 5_000; i++) {
      byte[] altered = request.clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        altered[random.nextInt(altered.length)] = (byte) random.nextInt(256);
      }
      assertThat(mute.answer(altered, Optional.of(now), SERIAL)).isInstanceOf(Rejected.class);
    }
  }

  @Test
  void withoutACertainTimeThereIsNone() throws Exception {
    StampAnswer answer = unit.answer(query("-sha256"), Optional.empty(), SERIAL);

    assertThat(shown(answer))
        .contains("Status: Rejected.", "the TSA's time source is not available");
  }

  @Test
  void aKeyThatDoesNotSignIsAFailureOfTheSystem() throws Exception {
    TimeStampUnit broken =
        new TimeStampUnit(
            _ -> Optional.empty(), key.chain(), new TimeStampPolicy(POLICY, Duration.ofSeconds(1)));

    assertThat(shown(broken.answer(query("-sha256"), Optional.of(now), SERIAL)))
        .contains("Status: Rejected.", "the request cannot be handled due to system failure");
  }

  @Test
  void anExpiredUnitMakesNone() throws Exception {
    Instant later = now.plus(Duration.ofDays(3650));

    assertThat(shown(unit.answer(query("-sha256"), Optional.of(later), SERIAL)))
        .contains("Status: Rejected.", "the request cannot be handled due to system failure");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "3.1.1", "1.01", "1..2", "a"})
  void aPolicyHasAnObjectIdentifier(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TimeStampPolicy(text, Duration.ofSeconds(1)));
  }
}
