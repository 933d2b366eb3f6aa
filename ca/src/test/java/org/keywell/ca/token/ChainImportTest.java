package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
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

/** An issuing CA under a root that openssl plays, with an intermediate CA between. */
@Tag("softhsm")
class ChainImportTest {
  private static final String EXTENSIONS =
      """
      [ca]
      basicConstraints = critical, CA:TRUE
      keyUsage = critical, keyCertSign, cRLSign
      subjectKeyIdentifier = hash
      authorityKeyIdentifier = keyid
      [leaf]
      subjectKeyIdentifier = hash
      authorityKeyIdentifier = keyid
      """;

  @TempDir private Path directory;
  private final CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
  private final CaBootstrap bootstrap = TestSettings.bootstrap(settings);
  private OpenSsl openssl;

  @BeforeEach
  void makeForeignAuthorities() {
    openssl = new OpenSsl(directory);
    openssl.write("ca.cnf", EXTENSIONS);
    String id = settings.rootLabel();
    openssl.run(
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "r.key",
        "-out",
        "r.pem",
        "-subj",
        "/CN=Foreign " + id,
        "-days",
        "3000",
        "-addext",
        "keyUsage=critical,keyCertSign,cRLSign");
    openssl.run(
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "m.key",
        "-out",
        "m.csr",
        "-subj",
        "/CN=Middle " + id);
    sign("m.csr", "r", "m.pem", "ca");
  }

  private void sign(String request, String issuer, String out, String section) {
    openssl.run(
        "x509",
        "-req",
        "-in",
        request,
        "-CA",
        issuer + ".pem",
        "-CAkey",
        issuer + ".key",
        "-CAcreateserial",
        "-days",
        "2000",
        "-out",
        out,
        "-extfile",
        "ca.cnf",
        "-extensions",
        section);
  }

  private String answer(String section) {
    openssl.write("i.csr", bootstrap.issuingRequest(false, Set.of()));
    sign("i.csr", "m", "i.pem", section);
    return openssl.read("i.pem");
  }

  private IssuingKey load() {
    return new CaToken(SoftHsm.SHARED.keys())
        .issuingKey(settings.issuingLabel(), InstantSource.system());
  }

  @Test
  void theRequestIsSignedAndAsksForACa() {
    openssl.write("i.csr", bootstrap.issuingRequest(false, Set.of()));
    assertThat(openssl.run("req", "-in", "i.csr", "-verify", "-noout", "-text"))
        .contains("verify OK", "CA:TRUE, pathlen:0", "Certificate Sign, CRL Sign");
  }

  @Test
  void untilTheAnswerArrivesNothingIsIssued() {
    String first = bootstrap.issuingRequest(false, Set.of());
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(this::load)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.AWAITING_CHAIN));
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(bootstrap::ensure)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.AWAITING_CHAIN));
    assertThat(publicKey(first)).isEqualTo(publicKey(bootstrap.issuingRequest(false, Set.of())));
  }

  private String publicKey(String request) {
    openssl.write("q.csr", request);
    return openssl.run("req", "-in", "q.csr", "-pubkey", "-noout");
  }

  @Test
  void anAnswerInAnyOrderIsStoredWithItsWholeChain() {
    String pem = openssl.read("r.pem") + answer("ca") + openssl.read("m.pem");
    List<X509Certificate> chain = bootstrap.importChain(pem);
    IssuingKey loaded = load();
    assertThat(loaded.chain()).isEqualTo(chain).hasSize(3);
    assertThat(TestSettings.bootstrap(settings).ensure())
        .isEqualTo(new BootstrapReport(false, false, chain));
    var authority =
        new BouncyCastleCertificateAuthority(
            loaded,
            CertificateProfiles.ofStandard(ProfileSettings.defaults()),
            SigningLimits.defaults(),
            InstantSource.system(),
            new SecureRandom());
    var leaf =
        Certificates.of(
            authority.certify(SubjectKeyPair.rsa(2048).request(Subject.ofCommonName("Carol"))));
    openssl.verify(leaf, authority.chain());
  }

  @Test
  void aRenewedCertificateReplacesTheFormerOne() {
    String above = openssl.read("m.pem") + openssl.read("r.pem");
    List<X509Certificate> first = bootstrap.importChain(answer("ca") + above);
    List<X509Certificate> second = bootstrap.importChain(answer("ca") + above);
    assertThat(second.getFirst()).isNotEqualTo(first.getFirst());
    assertThat(load().chain()).isEqualTo(second);
  }

  @Test
  void anOwnRootCanBeReplacedByAForeignOne() {
    bootstrap.ensure();
    List<X509Certificate> chain =
        bootstrap.importChain(answer("ca") + openssl.read("m.pem") + openssl.read("r.pem"));
    assertThat(load().chain()).isEqualTo(chain);
  }

  @Test
  void whatIsNoChainForTheKeyIsRefusedAndChangesNothing() {
    bootstrap.issuingRequest(false, Set.of());
    String good = answer("ca");
    String middle = openssl.read("m.pem");
    String root = openssl.read("r.pem");
    refused("no certificate is for the issuing key", middle + root);
    refused("not a valid self-signed root", good + middle);
    refused("lacks cA=TRUE", answer("leaf") + middle + root);
    refused("does not belong", good + middle + root + foreignCertificate());
    refused("cannot be read", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    refused("no certificate in PEM", "hello");
    refused("something other", good + openssl.read("r.key"));
    bootstrap.importChain(good + middle + root);
    refused("no certificate is for the issuing key", middle + root);
    assertThat(load().chain()).hasSize(3);
  }

  private String foreignCertificate() {
    return PemCertificates.write(SoftwareCa.issuingKey(CaKeySpec.EC_P256).chain().subList(1, 2));
  }

  private void refused(String why, String pem) {
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> bootstrap.importChain(pem))
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.CHAIN_REFUSED));
  }
}
