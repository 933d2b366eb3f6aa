package org.keywell.keypool.hsm.pkcs11;

import java.util.concurrent.TimeUnit;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Calls of the binding to SoftHSM. Here, and in no service, a key signs more than once. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class BindingBenchmark {

  private final Hsm hsm = SoftHsmToken.create().open();
  private final LiveKeyPair rsa = hsm.generateExtractable(KeySpec.RSA_2048);
  private final LiveKeyPair ec = hsm.generateExtractable(KeySpec.EC_P256);
  private final WrappedKey wrappedRsa = hsm.wrap(rsa);
  private final WrappedKey wrappedEc = hsm.wrap(ec);
  private final byte[] digest = new byte[DigestAlgorithm.SHA_256.lengthBytes()];

  @TearDown
  public void close() {
    hsm.close();
  }

  @Benchmark
  public byte[] signRsa() {
    return sign(rsa.privateKey(), SignatureScheme.RSASSA_PKCS1_V1_5);
  }

  @Benchmark
  public byte[] signEc() {
    return sign(ec.privateKey(), SignatureScheme.ECDSA);
  }

  @Benchmark
  public Destruction unwrapSignDestroyRsa() {
    KeyHandle key = hsm.unwrap(wrappedRsa);
    var _ = sign(key, SignatureScheme.RSASSA_PKCS1_V1_5);
    return hsm.destroy(key);
  }

  @Benchmark
  public Destruction unwrapSignDestroyEc() {
    KeyHandle key = hsm.unwrap(wrappedEc);
    var _ = sign(key, SignatureScheme.ECDSA);
    return hsm.destroy(key);
  }

  private byte[] sign(KeyHandle key, SignatureScheme scheme) {
    return hsm.sign(key, scheme, DigestAlgorithm.SHA_256, digest);
  }
}
