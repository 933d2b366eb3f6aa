package org.keywell.ca.issuance;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession.SignedDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.keypool.hsm.KeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs to verify all that a one-time key has signed, for each kind of key. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SignaturesBenchmark {

  private static final int DIGESTS = 10;

  @Param({"RSA_2048", "RSA_3072", "RSA_4096", "EC_P256", "EC_P384"})
  public KeySpec keySpec = KeySpec.RSA_2048;

  private byte[] publicKey = {};
  private final List<SignedDigest> signatures = new ArrayList<>();

  @Setup
  public void sign() throws GeneralSecurityException {
    boolean rsa = keySpec.algorithm() == KeySpec.Algorithm.RSA;
    KeyPairGenerator generator = KeyPairGenerator.getInstance(keySpec.algorithm().name());
    generator.initialize(keySpec.bits());
    KeyPair pair = generator.generateKeyPair();
    publicKey = pair.getPublic().getEncoded();
    signatures.clear();
    for (int i = 0; i < DIGESTS; i++) {
      byte[] document = {(byte) i};
      Signature signer = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
      signer.initSign(pair.getPrivate());
      signer.update(document);
      signatures.add(
          new SignedDigest(
              rsa ? ProofScheme.RSASSA_PKCS1_V1_5 : ProofScheme.ECDSA,
              ProofDigest.SHA_256,
              MessageDigest.getInstance("SHA-256").digest(document),
              signer.sign()));
    }
    if (!ten()) {
      throw new IllegalStateException("what was signed does not verify");
    }
  }

  @Benchmark
  public boolean one() {
    return DigestSignatures.allVerify(publicKey, signatures.subList(0, 1));
  }

  @Benchmark
  public boolean ten() {
    return DigestSignatures.allVerify(publicKey, signatures);
  }
}
