package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every {@link CertificateAuthority} keeps. */
public abstract class CertificateAuthorityContract {
  private static final SubjectKeyPair RSA = SubjectKeyPair.rsa(2048);
  private static final SubjectKeyPair EC = SubjectKeyPair.ec("secp256r1");
  private static final String NO_REVOCATION = "2.5.29.56";
  private static final String SHORT_TERM = "0.4.0.194121.2.1";
  private static final Subject ALICE = Subject.ofCommonName("Alice");

  /** An authority that works, with {@link SampleProfiles#all}. */
  protected abstract CertificateAuthority authority();

  @Test
  void chainLeadsFromTheIssuingAuthorityToItsRoot() throws Exception {
    var chain = authority().chain();
    for (int i = 0; i + 1 < chain.size(); i++) {
      chain.get(i).verify(chain.get(i + 1).getPublicKey());
    }
    chain.getLast().verify(chain.getLast().getPublicKey());
  }

  @Test
  void certifiesTheKeyAndTheSubjectThatWereAskedFor() throws Exception {
    var certificate = Certificates.of(authority().certify(RSA.request(ALICE)));
    assertThat(certificate.getPublicKey()).isEqualTo(RSA.publicKey());
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=Alice");
    certificate.verify(authority().chain().getFirst().getPublicKey());
  }

  @Test
  void statesTheSerialThatIsInTheCertificate() {
    var certified = (Certification.Certified) authority().certify(EC.request(ALICE));
    assertThat(Certificates.of(certified).getSerialNumber()).isEqualTo(certified.serial());
  }

  @Test
  void statesTheChainThatItIssuedUnder() {
    var certified = (Certification.Certified) authority().certify(EC.request(ALICE));
    assertThat(certified.issuedUnder()).isEqualTo(CaChain.of(authority().chain()));
  }

  @Test
  void refusesAKeyThatDidNotSign() {
    var swapped =
        new CertificationRequest(
            SubjectKeyPair.rsa(2048).encoded(), ALICE, RSA.prove(), "standard", null);
    assertRefused(swapped, Certification.Reason.POSSESSION_NOT_PROVEN);
  }

  @Test
  void certifiesAKeyThatHasSignedNothingButItsRequest() throws Exception {
    var proof = RSA.requestToBeCertified(ProofScheme.RSASSA_PSS, ProofDigest.SHA_256);
    var certificate =
        Certificates.of(
            authority()
                .certify(new CertificationRequest(RSA.encoded(), ALICE, proof, "standard", null)));

    assertThat(certificate.getPublicKey()).isEqualTo(RSA.publicKey());
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=Alice");
  }

  @Test
  void refusesARequestThatIsAnotherKeys() {
    var others =
        SubjectKeyPair.rsa(2048).requestToBeCertified(ProofScheme.RSASSA_PSS, ProofDigest.SHA_256);
    assertRefused(
        new CertificationRequest(RSA.encoded(), ALICE, others, "standard", null),
        Certification.Reason.POSSESSION_NOT_PROVEN);
  }

  @Test
  void refusesARequestThatWasAltered() {
    var altered = EC.requestToBeCertified(ProofScheme.ECDSA, ProofDigest.SHA_256);
    altered.request()[altered.request().length - 1] ^= 1;
    assertRefused(
        new CertificationRequest(EC.encoded(), ALICE, altered, "standard", null),
        Certification.Reason.POSSESSION_NOT_PROVEN);
  }

  @Test
  void refusesAProofOverAnotherDigest() {
    ProofOfPossession.SignedDigest proof = EC.prove();
    byte[] digest = proof.digest().clone();
    digest[7] ^= 1;
    var other =
        new ProofOfPossession.SignedDigest(
            proof.scheme(), proof.digestAlgorithm(), digest, proof.signature());
    assertRefused(
        new CertificationRequest(EC.encoded(), ALICE, other, "standard", null),
        Certification.Reason.POSSESSION_NOT_PROVEN);
  }

  @Test
  void refusesAWeakKeyThoughItSigned() {
    assertRefused(SubjectKeyPair.rsa(1024).request(ALICE), Certification.Reason.KEY_NOT_ALLOWED);
  }

  @Test
  void refusesAProfileThatItDoesNotHave() {
    assertRefused(EC.request(ALICE, "no-such-profile", null), Certification.Reason.PROFILE_UNKNOWN);
  }

  @Test
  void refusesASubjectThatTheProfileDoesNotAllow() {
    assertRefused(
        EC.request(ALICE, SampleProfiles.QUALIFIED, null),
        Certification.Reason.SUBJECT_NOT_ALLOWED);
  }

  @Test
  void issuesByTheProfileThatWasAskedFor() {
    X509Certificate standard = Certificates.of(authority().certify(EC.request(ALICE)));
    X509Certificate shortLived =
        Certificates.of(authority().certify(EC.request(ALICE, SampleProfiles.SHORT_LIVED, null)));
    assertThat(hours(standard)).isEqualTo(24);
    assertThat(hours(shortLived)).isEqualTo(1);
    assertThat(standard.getNonCriticalExtensionOIDs()).doesNotContain(NO_REVOCATION, SHORT_TERM);
    assertThat(shortLived.getNonCriticalExtensionOIDs()).contains(NO_REVOCATION, SHORT_TERM);
  }

  private static long hours(X509Certificate certificate) {
    return Duration.between(
            certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant())
        .toHours();
  }

  @ParameterizedTest
  @CsvSource({"standard, true", "qualified, true", "short-lived, false"})
  void saysHowTheSignerWasIdentifiedIfTheProfileWantsIt(String profile, boolean says) {
    var request = EC.request(SampleAuthentication.SIXTEN, profile, SampleAuthentication.ofSixten());
    X509Certificate certificate = Certificates.of(authority().certify(request));
    assertThat(certificate.getNonCriticalExtensionOIDs().contains("1.2.752.201.5.1"))
        .isEqualTo(says);
  }

  @Test
  void aCaThatWorksIsValidAndProvesItself() {
    assertThat(authority().isValid()).isTrue();
    assertThat(authority().prove()).isEmpty();
  }

  @Test
  void givesDistinctSerialsOf128Bits() {
    Set<BigInteger> serials = new HashSet<>();
    BigInteger all = BigInteger.ZERO;
    CertificationRequest request = EC.request(ALICE);
    for (int i = 0; i < 1000; i++) {
      var certified = (Certification.Certified) authority().certify(request);
      assertThat(certified.serial().signum()).isPositive();
      serials.add(certified.serial());
      all = all.or(certified.serial());
    }
    assertThat(serials).hasSize(1000);
    // Each bit is set in one of 1,000 random numbers, but for a chance of 2^-993.
    assertThat(all).isEqualTo(BigInteger.TWO.pow(128).subtract(BigInteger.ONE));
  }

  @Test
  void servesFourThreadsAtOnce() throws Exception {
    List<Callable<List<Certification>>> work = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      SubjectKeyPair pair = SubjectKeyPair.ec("secp256r1");
      Subject subject = Subject.ofCommonName("Thread " + thread);
      work.add(() -> {
        List<Certification> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          answers.add(authority().certify(pair.request(subject)));
        }
        return answers;
      });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<List<Certification>>> results = threads.invokeAll(work);
      for (int thread = 0; thread < 4; thread++) {
        for (Certification answer : results.get(thread).get()) {
          var certificate = Certificates.of(answer);
          certificate.verify(authority().chain().getFirst().getPublicKey());
          assertThat(certificate.getSubjectX500Principal().getName())
              .isEqualTo("CN=Thread " + thread);
        }
      }
    }
  }

  private void assertRefused(CertificationRequest request, Certification.Reason reason) {
    assertThat(authority().certify(request))
        .isInstanceOfSatisfying(
            Certification.Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }
}
