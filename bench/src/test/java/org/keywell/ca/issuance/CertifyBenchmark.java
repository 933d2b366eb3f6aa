package org.keywell.ca.issuance;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession.SignedDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.SoftHsm;
import org.keywell.ca.token.ThrowAwayCa;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A certificate, and its costly parts: the check of possession and the CA's signature, in SoftHSM.
 * What is left is its content.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CertifyBenchmark {

  private final SubjectKeyPair rsa = SubjectKeyPair.rsa(2048);
  private final SubjectKeyPair ec = SubjectKeyPair.ec("secp256r1");
  private final CertificationRequest ofRsa = rsa.request(Subject.ofCommonName("Alice"));
  private final CertificationRequest ofEc = ec.request(Subject.ofCommonName("Alice"));
  private final SignedDigest pss = rsa.prove(ProofScheme.RSASSA_PSS, ProofDigest.SHA_256);
  private final SignedDigest ecdsa = ec.prove();
  private final CertificateAuthority authority;
  private final SignerPool signers;

  public CertifyBenchmark() {
    SecureRandom random = new SecureRandom();
    Subject name = Subject.ofCommonName("Benchmark");
    IssuingKey key =
        ThrowAwayCa.make(SoftHsm.SHARED.keys(), CaKeySpec.EC_P256, name, Instant.now(), random);
    signers = IssuingKeyProof.provenPool(key, SigningLimits.defaults());
    authority =
        new BouncyCastleCertificateAuthority(
            key,
            CertificateProfiles.ofStandard(ProfileSettings.defaults()),
            SigningLimits.defaults(),
            InstantSource.system(),
            random);
  }

  @Benchmark
  public Certification certifyRsa() {
    return authority.certify(ofRsa);
  }

  @Benchmark
  public Certification certifyEc() {
    return authority.certify(ofEc);
  }

  @Benchmark
  public boolean possessionPkcs1() throws KeyNotAllowedException {
    return PossessionCheck.holds(SubjectKey.decode(ofRsa.publicKey()), ofRsa.proof());
  }

  @Benchmark
  public boolean possessionPss() throws KeyNotAllowedException {
    return PossessionCheck.holds(SubjectKey.decode(ofRsa.publicKey()), pss);
  }

  @Benchmark
  public boolean possessionEcdsa() throws KeyNotAllowedException {
    return PossessionCheck.holds(SubjectKey.decode(ofEc.publicKey()), ecdsa);
  }

  /** The same by SunEC, which is not used: see decision 46. */
  @Benchmark
  public boolean possessionEcdsaBySunEc() throws GeneralSecurityException {
    Signature verifier = Signature.getInstance("NONEwithECDSA");
    verifier.initVerify(ec.publicKey());
    verifier.update(ecdsa.digest());
    return verifier.verify(ecdsa.signature());
  }

  @Benchmark
  public byte[] caSignature() throws CaSigningException {
    return signers.sign(ecdsa.digest());
  }
}
