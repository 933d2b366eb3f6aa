package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;

/** Keys of the issuing CA, and of its root, that follow each other. */
@Tag("softhsm")
final class CaRenewalTest {
  private static final Duration YEAR = Duration.ofDays(365);
  private static final String EXTENSIONS =
      """
      basicConstraints = critical, CA:TRUE, pathlen:0
      keyUsage = critical, keyCertSign, cRLSign
      subjectKeyIdentifier = hash
      authorityKeyIdentifier = keyid
      """;

  private final CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
  private final String issuing = settings.issuingLabel();
  private final CaBootstrap ca = TestSettings.bootstrap(settings);
  private final OpenSsl openssl;

  CaRenewalTest(@TempDir Path directory) {
    openssl = new OpenSsl(directory);
    openssl.write("ca.cnf", EXTENSIONS);
  }

  private List<IssuingKey> keys() {
    return keys(InstantSource.system());
  }

  private List<IssuingKey> keys(InstantSource clock) {
    return new CaToken(SoftHsm.SHARED.keys()).issuingKeys(issuing, clock);
  }

  private Set<String> taken(int generation) {
    return Set.of("elsewhere", CaKeyLabels.of(issuing, generation));
  }

  private static X509Certificate leaf(IssuingKey key) {
    return Certificates.of(
        new BouncyCastleCertificateAuthority(
                key,
                CertificateProfiles.ofStandard(ProfileSettings.defaults()),
                SigningLimits.defaults(),
                InstantSource.system(),
                new SecureRandom())
            .certify(SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Alice"))));
  }

  @Test
  void aNewKeyFollowsUnderTheSameNameAndRoot() {
    X509Certificate first = ca.ensure().chain().getFirst();

    Renewal renewal = ca.renew(2, ca, taken(1));

    assertThat(renewal.created()).isTrue();
    assertThat(renewal.label()).isEqualTo(issuing + "~2");
    assertThat(ca.renew(2, ca, taken(2)))
        .isEqualTo(new Renewal(false, issuing + "~2", renewal.certificate()));
    assertThat(renewal.certificate().getSubjectX500Principal())
        .isEqualTo(first.getSubjectX500Principal());
    assertThat(keys())
        .extracting(IssuingKey::certificate)
        .containsExactly(renewal.certificate(), first);
    assertThat(ca.ensure().chain().getFirst()).isEqualTo(renewal.certificate());
    for (IssuingKey key : keys()) {
      openssl.verify(leaf(key), key.chain());
    }
  }

  @Test
  void aGenerationIsNotLeftOutByMistake() {
    ca.ensure();

    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> ca.renew(3, ca, taken(1)))
        .withMessageContaining("generation 3 of " + issuing + ": the next is 2");
  }

  /** Otherwise two private keys would share a CKA_ID. */
  @Test
  void theLabelOfAKeyThatWasLeftHalfMadeIsPassedOver() {
    ca.ensure();
    HalfMadeKey.in(SoftHsm.SHARED, issuing + "~2");

    assertThat(ca.renew(2, ca, taken(2)).label()).isEqualTo(issuing + "~3");
    assertThat(ca.renew(2, ca, taken(3)).created()).isFalse();
    assertThat(keys()).hasSize(2);
  }

  @Test
  void whatHasEndedIsNotUsed() {
    ca.ensure();
    CaBootstrap later = later(YEAR.multipliedBy(4));
    Renewal second = later.renew(2, later, taken(1));

    assertThat(keys(InstantSource.offset(InstantSource.system(), YEAR.multipliedBy(6))))
        .extracting(IssuingKey::certificate)
        .containsExactly(second.certificate());
    assertThat(keys()).as("the newer one is not valid yet").hasSize(1);
  }

  /** Validators take answers only from those that a certificate's own issuer has certified. */
  @Test
  void eachKeyHasAResponderThatItHasCertified() {
    String label = "ocsp-" + issuing;
    ca.ensure();
    CaToken token = new CaToken(SoftHsm.SHARED.keys());
    assertThat(token.responders(label)).isEmpty();
    assertThat(responders(ca, label, 0)).containsExactly("created " + label);
    ca.renew(2, ca, taken(1));
    HalfMadeKey.in(SoftHsm.SHARED, label + "~2");

    assertThat(responders(ca, label, 2))
        .containsExactly("exists " + label, "created " + label + "~3");

    assertThat(responders(ca, label, 3))
        .containsExactly("exists " + label, "exists " + label + "~3");
    assertThat(token.responders(label)).containsExactly(label + "~3", label);
    assertThat(token.responders(label))
        .extracting(each -> stamps(each).get(1))
        .isEqualTo(keys().stream().map(IssuingKey::certificate).toList());
    assertThat(token.responders(issuing)).as("not for OCSP answers").isEmpty();
  }

  @Test
  void aResponderThatSoonEndsGetsASuccessor() {
    String label = "ocsp-" + issuing;
    ca.ensure();
    responders(ca, label, 0);

    CaBootstrap later = later(YEAR.minusDays(90));
    assertThat(responders(later(YEAR.minusDays(93)), label, 1)).containsExactly("exists " + label);
    assertThat(responders(later, label, 1)).containsExactly("created " + label + "~2");
    assertThat(responders(later, label, 2)).containsExactly("exists " + label + "~2");
    CaToken token = new CaToken(SoftHsm.SHARED.keys());
    assertThat(token.responders(label)).containsExactly(label + "~2");

    CaBootstrap last = later(YEAR.multipliedBy(5).minusDays(30));
    assertThat(responders(last, label, 2)).containsExactly("created " + label + "~3");
    assertThat(responders(later(YEAR.multipliedBy(5).minusDays(1)), label, 3))
        .as("it ends with its issuer")
        .containsExactly("exists " + label + "~3");
  }

  private static List<String> responders(CaBootstrap ca, String label, int taken) {
    return ca
        .ensureResponders(
            label,
            Subject.ofCommonName("Responder"),
            YEAR,
            taken == 0 ? Set.of() : Set.of(CaKeyLabels.of(label, taken)))
        .stream()
        .map(each -> (each.created() ? "created " : "exists ") + each.label())
        .toList();
  }

  private CaBootstrap later(Duration time) {
    return CaBootstrap.in(
        SoftHsm.SHARED.keys(),
        settings,
        InstantSource.offset(InstantSource.system(), time),
        new SecureRandom());
  }

  /** Their issuer's name alone would lead to another key's certificate. */
  @Test
  void unitsOfTimeStampsKeepTheirChain() throws Exception {
    List<X509Certificate> first = ca.ensure().chain();
    ca.ensureServiceKey(
        ServiceUse.TIME_STAMPS,
        CaKeySpec.EC_P256,
        "old-" + issuing,
        Subject.ofCommonName("Old unit"),
        YEAR);
    ca.renew(2, ca, taken(1));
    ca.ensureServiceKey(
        ServiceUse.TIME_STAMPS,
        CaKeySpec.EC_P256,
        "new-" + issuing,
        Subject.ofCommonName("New unit"),
        YEAR);
    ca.renew(3, ca, taken(2));

    List<X509Certificate> old = stamps("old-" + issuing);
    List<X509Certificate> renewed = stamps("new-" + issuing);

    assertThat(old.subList(1, 3)).isEqualTo(first);
    assertThat(renewed.get(1)).isEqualTo(keys().get(1).certificate());
    openssl.verify(old.getFirst(), old.subList(1, 3));
    openssl.verify(renewed.getFirst(), renewed.subList(1, 3));
  }

  private static List<X509Certificate> stamps(String label) {
    return TokenKey.open(SoftHsm.SHARED.keys(), label, CaKeySpec.EC_P256, "bootstrap").chain();
  }

  /** Otherwise their chains would have no end. */
  @Test
  void aKeyWithCertificatesBelowItKeepsItsOwn() {
    makeRoot("r", "Foreign " + issuing);
    String answer = certified(ca.issuingRequest(false, Set.of()), "r");
    List<X509Certificate> chain = ca.importChain(answer);
    ca.ensureServiceKey(
        ServiceUse.TIME_STAMPS,
        CaKeySpec.EC_P256,
        "unit-" + issuing,
        Subject.ofCommonName("Unit"),
        YEAR);

    assertThat(ca.importChain(answer)).as("the same again").isEqualTo(chain);
    String renewed = certified(ca.issuingRequest(false, Set.of()), "r");
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> ca.importChain(renewed))
        .withMessageContaining("ca-request --new-key")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.CHAIN_REFUSED));

    assertThat(keys()).singleElement().extracting(IssuingKey::chain).isEqualTo(chain);
  }

  @Test
  void aNewKeyUnderARootElsewhereIsUsedOnceItsCertificateIsThere() {
    makeRoot("r", "Foreign " + issuing);
    makeRoot("s", "Second foreign " + issuing);
    List<X509Certificate> first =
        ca.importChain(certified(ca.issuingRequest(false, Set.of()), "r"));
    ca.ensureServiceKey(
        ServiceUse.TIME_STAMPS,
        CaKeySpec.EC_P256,
        "unit-" + issuing,
        Subject.ofCommonName("Unit"),
        YEAR);
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> ca.renew(2, ca, taken(1)))
        .withMessageContaining("its root is elsewhere: make a request");

    String request = ca.issuingRequest(true, taken(1));

    assertThat(publicKey(ca.issuingRequest(true, taken(2))))
        .as("the same key")
        .isEqualTo(publicKey(request));
    assertThat(publicKey(ca.issuingRequest(false, Set.of()))).isEqualTo(publicKey(request));
    assertThat(keys()).singleElement().extracting(IssuingKey::chain).isEqualTo(first);
    List<X509Certificate> second = ca.importChain(certified(request, "s"));
    assertThat(keys()).extracting(IssuingKey::chain).containsExactly(second, first);
    assertThat(ca.rootCertificates()).containsExactly(second.getLast(), first.getLast());
    for (IssuingKey key : keys()) {
      openssl.verify(leaf(key), key.chain());
    }
    assertThat(publicKey(ca.issuingRequest(true, taken(2)))).isNotEqualTo(publicKey(request));
  }

  @Test
  void verifiersOfTheOldRootAcceptTheNewOneByItsCrossCertificate() {
    List<X509Certificate> first = ca.ensure().chain();
    assertThatExceptionOfType(CaTokenException.class).isThrownBy(ca::crossCertificate);

    Renewal root = ca.renewRoot(2, Set.of(settings.rootLabel()));

    assertThat(root.label()).isEqualTo(settings.rootLabel() + "~2");
    assertThat(ca.renewRoot(2, Set.of(root.label())).created()).isFalse();
    X509Certificate cross = ca.crossCertificate();
    assertThat(cross.getNotAfter()).isBeforeOrEqualTo(first.getLast().getNotAfter());
    assertThat(ca.ensure().chain()).as("nothing is below it yet").isEqualTo(first);
    ca.renew(2, ca, taken(1));
    IssuingKey second = keys().getFirst();
    assertThat(second.chain().getLast()).isEqualTo(root.certificate());
    X509Certificate leaf = leaf(second);
    openssl.verify(leaf, second.chain());
    openssl.verify(leaf, List.of(second.certificate(), cross, first.getLast()));
    openssl.verify(leaf(keys().get(1)), first);
    assertThat(RootKey.all(SoftHsm.SHARED.keys(), settings))
        .extracting(RootKey::certificate)
        .containsExactly(root.certificate(), first.getLast());
    assertThat(ca.rootCertificates()).containsExactly(root.certificate(), first.getLast());
  }

  private void makeRoot(String name, String commonName) {
    openssl.run(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-384",
        "-nodes",
        "-keyout",
        name + ".key",
        "-out",
        name + ".pem",
        "-subj",
        "/CN=" + commonName,
        "-days",
        "3000",
        "-addext",
        "keyUsage=critical,keyCertSign,cRLSign");
  }

  private String certified(String request, String root) {
    openssl.write("i.csr", request);
    openssl.run(
        "x509",
        "-req",
        "-in",
        "i.csr",
        "-CA",
        root + ".pem",
        "-CAkey",
        root + ".key",
        "-days",
        "2000",
        "-out",
        "i.pem",
        "-extfile",
        "ca.cnf");
    return openssl.read("i.pem") + openssl.read(root + ".pem");
  }

  private String publicKey(String request) {
    openssl.write("q.csr", request);
    return openssl.run("req", "-in", "q.csr", "-pubkey", "-noout");
  }
}
