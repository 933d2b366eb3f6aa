package org.keywell.signing.ca;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.ocsp.OcspUnit;
import org.keywell.ca.token.CaKeyLabels;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.HalfMadeKey;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.settings.CaProperties;
import org.keywell.settings.DeviceProperties;
import org.keywell.settings.LogProperties;
import org.keywell.settings.OwnWitnessProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.BoundSettings;
import org.keywell.signing.hsm.HsmCredentials;
import org.keywell.signing.hsm.OpenDevice;
import org.keywell.testkit.ManualTime;
import org.keywell.testkit.OpenSsl;

/** A CA in each of two tokens of SoftHSM, under one root. */
@Tag("softhsm")
@Timeout(60)
final class CasOfTwoTokensTest {

  private static final CertificationRequest REQUEST =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Anybody"));

  private static final String LABEL = "keywell-issuing";
  private static final String RESPONDER = "keywell-ocsp";
  private static final String RESPONDERS = "http://ocsp.example.org/ca/ocsp/";
  private static final CertificateProfiles PROFILES =
      CertificateProfiles.ofStandard(ProfileSettings.defaults());
  private static final SigningLimits LIMITS = SigningLimits.defaults();

  private final CaProperties properties = BoundSettings.of().ca();
  private final CaDevice east = device("east");
  private final CaDevice west = device("west");
  @TempDir Path home;
  private CaPreparation preparation;

  private static CaDevice device(String name) {
    SoftHsmToken token = SoftHsmToken.create();
    Pkcs11Hsm hsm = token.open();
    DeviceProperties settings =
        new DeviceProperties(
            true,
            name,
            DeviceRole.BOTH,
            1,
            token.config().module(),
            token.config().tokenLabel(),
            null,
            new String(token.pinCharacters()),
            null,
            token.config().wrappingKeyLabel(),
            null,
            token.config().maxSessions(),
            token.config().unwrapSessions());
    return new CaDevice(
        new OpenDevice(
            name, DeviceRole.BOTH, 1, token.config(), new HsmCredentials(settings), hsm, hsm),
        true);
  }

  @BeforeEach
  void prepare() {
    preparation = preparation(properties);
  }

  private CaPreparation preparation(CaProperties settings) {
    return new CaPreparation(
        settings,
        new LogProperties(
            "test.example/log",
            "keywell-log",
            false,
            List.of(),
            0,
            new OwnWitnessProperties(null, "keywell-witness", List.of())),
        BoundSettings.of().tsa(),
        List.of(east, west),
        home,
        InstantSource.system());
  }

  @AfterEach
  void close() {
    west.device().pkcs11().close();
    east.device().pkcs11().close();
  }

  private IssuingCas open() {
    return new IssuingCas(
        List.of(
            east.open(LABEL, RESPONDER, PROFILES, LIMITS, System::nanoTime, InstantSource.system()),
            west.open(
                LABEL, RESPONDER, PROFILES, LIMITS, System::nanoTime, InstantSource.system())));
  }

  private void assertVerifies(Certification answer, Path root) throws Exception {
    assertThat(answer).isInstanceOf(Certified.class);
    Certified certified = (Certified) answer;
    OpenSsl openssl = new OpenSsl(home);
    openssl.run(
        "verify",
        "-x509_strict",
        "-CAfile",
        root.toString(),
        "-untrusted",
        openssl.write(
            "untrusted.pem",
            OpenSsl.pem(List.of(parse(certified.issuedUnder().certificates().getFirst())))),
        openssl.write("leaf.pem", OpenSsl.pem(List.of(parse(certified.certificate())))));
  }

  private static X509Certificate parse(byte[] der) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  private static byte[] issuer(Certification answer) {
    return ((Certified) answer).issuedUnder().id();
  }

  @Test
  void eachIssuesUnderTheOneRootAndOneForTheOther() throws Exception {
    List<String> report = preparation.ensure();
    assertThat(report)
        .containsExactly(
            "created: root (CN=Keywell Root CA) in device east",
            "created: issuing CA 'keywell-issuing' (CN=Keywell Issuing CA) in device east",
            "created: audit key 'keywell-log' in device east",
            "created: Ed25519 key 'keywell-log-ed25519' in device east",
            "created: issuing CA 'keywell-issuing' (CN=Keywell Issuing CA) in device west",
            "created: audit key 'keywell-log' in device west",
            "created: Ed25519 key 'keywell-log-ed25519' in device west");
    assertThat(preparation.ensure())
        .containsExactlyElementsOf(
            report.stream().map(line -> line.replace("created: ", "exists:  ")).toList());
    Path root = home.resolve("ca").resolve("root.pem");
    assertThat(Files.readString(root)).containsOnlyOnce("BEGIN CERTIFICATE");

    IssuingCas cas = open();
    Certification inEast = cas.certify("east", REQUEST);
    Certification inWest = cas.certify("west", REQUEST);

    assertVerifies(inEast, root);
    assertVerifies(inWest, root);
    assertThat(issuer(inEast)).isNotEqualTo(issuer(inWest));
    assertThat(cas.certificates()).hasSize(3);
    assertThat(cas.certificates().getLast()).isEqualTo(cas.all().getFirst().chain().getLast());

    // West is lost: east issues for its keys until it is back.
    Pkcs11Hsm lost = west.device().pkcs11();
    lost.lose(lost.epoch(), "a test says so");
    long began = System.nanoTime();
    Certification meanwhile = cas.certify("west", REQUEST);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    assertVerifies(meanwhile, root);
    assertThat(issuer(meanwhile)).isEqualTo(issuer(inEast));
    assertThat(cas.isDown()).isFalse();

    lost.reopen();
    assertThat(issuer(cas.certify("west", REQUEST))).isEqualTo(issuer(inWest));
    assertThat(issuer(cas.certify("east", REQUEST))).isEqualTo(issuer(inEast));
  }

  /** A private key without a certificate is left behind where a renewal is killed in between. */
  @Test
  void aRenewalThatWasKilledIsRunAgain() throws Exception {
    preparation.ensure();
    IssuingCas cas = open();
    byte[] before = issuer(cas.certify("east", REQUEST));
    assertThat(preparation.renew("east", 2))
        .singleElement()
        .asString()
        .startsWith(
            "created: issuing CA 'keywell-issuing~2' (CN=Keywell Issuing CA) in device east");
    leaveBehind(west, "keywell-issuing~2");

    assertThat(preparation.renew(null, 2))
        .containsExactly(
            "exists:  issuing CA 'keywell-issuing~2' (CN=Keywell Issuing CA) in device east",
            "created: issuing CA 'keywell-issuing~3' (CN=Keywell Issuing CA) in device west");
    assertThat(preparation.renew(null, 2)).allMatch(line -> line.startsWith("exists:  "));
    assertThat(preparation.ensure()).allMatch(line -> line.startsWith("exists:  "));
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> preparation.renew(null, 7))
        .withMessageContaining("the next is 3");
    for (CaDevice device : List.of(east, west)) {
      assertThat(
              device
                  .device()
                  .pkcs11()
                  .countStrayTokenKeys(
                      Stream.of("keywell-root", LABEL, "keywell-log", "keywell-log-ed25519")
                          .flatMap(label -> CaKeyLabels.all(label).stream())
                          .collect(Collectors.toSet())))
          .isZero();
    }

    assertThat(issuer(cas.certify("east", REQUEST))).as("it does not look yet").isEqualTo(before);
    Certification after = open().certify("east", REQUEST);
    assertThat(issuer(after)).isNotEqualTo(before);
    assertVerifies(after, home.resolve("ca").resolve("root.pem"));
  }

  /** Validators take answers only from those that a certificate's own issuer has certified. */
  @Test
  void certificatesNameAResponderOnceTheirIssuerHasOne() throws Exception {
    CaProperties withOcsp =
        BoundSettings.of(
                "keywell.ca.crl.uri=http://crl.example.org/",
                "keywell.ca.ocsp.uri=" + RESPONDERS,
                "keywell.ca.profile.crls-by-day=true")
            .ca();
    CertificateProfiles profiles = ProfileFiles.read(withOcsp).profiles();
    ManualTime time = new ManualTime();
    preparation.ensure();
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(
            () -> east.open(LABEL, RESPONDER, profiles, LIMITS, time, InstantSource.system()))
        .withMessageContaining("no key 'keywell-ocsp'");
    CaPreparation prepared = preparation(withOcsp);
    assertThat(prepared.ensure())
        .contains(
            "created: OCSP key 'keywell-ocsp' in device east",
            "created: OCSP key 'keywell-ocsp' in device west");
    CaWatch watch = east.open(LABEL, RESPONDER, profiles, LIMITS, time, InstantSource.system());
    byte[] first = issuer(watch.certify(REQUEST));
    assertThat(namesResponder(watch)).isTrue();

    preparation.renew("east", 2);
    look(watch, time);
    look(watch, time);

    assertThat(issuer(watch.certify(REQUEST))).isNotEqualTo(first);
    assertThat(namesResponder(watch)).as("its key has none").isFalse();
    assertThat(answered(watch)).containsExactly(watch.chains().getLast().getFirst());
    assertThat(prepared.renew("east", 2))
        .anyMatch(line -> line.startsWith("exists:  issuing CA 'keywell-issuing~2'"))
        .contains(
            "exists:  OCSP key 'keywell-ocsp' in device east",
            "created: OCSP key 'keywell-ocsp~2' in device east");
    look(watch, time);
    assertThat(namesResponder(watch)).as("until all instances answer").isFalse();
    assertThat(answered(watch))
        .containsExactlyInAnyOrder(
            watch.chains().getFirst().getFirst(), watch.chains().getLast().getFirst());
    List<OcspSigner> signers = watch.responders();
    look(watch, time);
    assertThat(namesResponder(watch)).isTrue();
    assertThat(watch.responders()).as("the same keys").hasSameElementsAs(signers);

    Pkcs11Hsm lost = east.device().pkcs11();
    lost.lose(lost.epoch(), "a test says so");
    lost.reopen();
    assertThat(namesResponder(watch)).isTrue();
    assertThat(watch.responders())
        .allMatch(each -> each.signer().sign(new byte[] {1}).isPresent())
        .hasSameElementsAs(signers);
  }

  private static void look(CaWatch watch, ManualTime time) {
    time.advance(CaWatch.BETWEEN_REFRESHES);
    watch.look();
  }

  private static boolean namesResponder(CaWatch watch) {
    Certified answer = (Certified) watch.certify(REQUEST);
    return new String(answer.certificate(), ISO_8859_1).contains(RESPONDERS);
  }

  private static List<X509Certificate> answered(CaWatch watch) {
    return watch.responders().stream().map(OcspSigner::issuer).toList();
  }

  @Test
  void anEarlierKeysResponderIsRenewedUnlessItEndsWithItsIssuer() throws Exception {
    preparation.ensure();
    List<X509Certificate> chain = open().all().getFirst().chain();
    Instant issuerEnds = chain.getFirst().getNotAfter().toInstant();
    X509Certificate another = chain.getLast();
    for (Duration validity : List.of(Duration.ofDays(30), Duration.ofDays(9_000))) {
      String label = "unit-" + validity.toDays();
      east.use(() ->
          east.bootstrap(properties, InstantSource.system())
              .ensureResponders(label, Subject.ofCommonName("Unit"), validity, Set.of()));
      OcspSigner signer =
          ServiceKey.open(
              east.device(),
              true,
              "a key",
              "test",
              label,
              CaKeySpec.EC_P256,
              System::nanoTime,
              (name, own, bounded) ->
                  new OcspSigner(name, new OcspUnit(bounded::sign, own), own, bounded));
      Instant ends = signer.chain().getFirst().getNotAfter().toInstant();
      assertThat(signer.end(chain.getFirst())).contains(ends);
      assertThat(signer.end(another)).isEqualTo(Optional.of(ends).filter(issuerEnds::isAfter));
      signer.signer().close();
    }
  }

  /** The key is stored first. */
  private static void leaveBehind(CaDevice device, String label) {
    Pkcs11Hsm token = device.device().pkcs11();
    HalfMadeKey.in(
        token.certifiedKeys(token.slotId()),
        device.device().config().module(),
        token.slotId(),
        label);
  }

  @Test
  void aNewRootIsKnownWithTheOneBefore() throws Exception {
    preparation.ensure();
    Path roots = home.resolve("ca").resolve("root.pem");
    String old = Files.readString(roots);

    assertThat(preparation.renewRoot(2))
        .containsExactly(
            "created: root 'keywell-root~2' (CN=Keywell Root CA 2) in device east",
            "its certificate by the root before it: " + home.resolve("ca").resolve("cross.pem"));
    assertThat(preparation.renewRoot(2).getFirst()).startsWith("exists:  ");
    assertThat(preparation.ensure()).allMatch(line -> line.startsWith("exists:  "));
    assertThat(Files.readString(roots)).startsWith(old).contains(old).isNotEqualTo(old);
    preparation.renew(null, 2);

    IssuingCas cas = open();
    for (String device : List.of("east", "west")) {
      Certified answer = (Certified) cas.certify(device, REQUEST);
      assertVerifies(answer, roots);
      OpenSsl openssl = new OpenSsl(home);
      openssl.run(
          "verify",
          "-x509_strict",
          "-CAfile",
          openssl.write("old.pem", old),
          "-untrusted",
          "untrusted.pem",
          "-untrusted",
          "ca/cross.pem",
          "leaf.pem");
    }
    assertThat(cas.roots()).as("also of the keys before").hasSize(2);
  }

  @Test
  void underARootElsewhereEachHasARequestOfItsOwn() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> preparation.request(null, false))
        .withMessageContaining("[east, west] by --device");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> preparation.request("north", false))
        .withMessageContaining("'north'");
    assertThat(preparation.request("west", false)).isNotEqualTo(preparation.request("east", false));

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> preparation.ensure())
        .withMessageStartingWith("device east: ")
        .withMessageContaining("waits for the answer");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() ->
            west.use(() ->
                west.open(
                    LABEL, RESPONDER, PROFILES, LIMITS, System::nanoTime, InstantSource.system())))
        .withMessageStartingWith("device west: ")
        .withMessageContaining("waits for the answer");
    assertThat(home.resolve("ca")).doesNotExist();
  }
}
