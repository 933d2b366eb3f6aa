package org.keywell.ca.issuance;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A JCA provider of SHA256withECDSA that does what a test says before and to each signature. */
final class SwitchedProvider extends Provider {
  private static final long serialVersionUID = 1L;

  private final transient AtomicReference<Callable<?>> before =
      new AtomicReference<>(() -> "nothing");

  private final transient AtomicReference<UnaryOperator<byte[]>> given =
      new AtomicReference<>(UnaryOperator.identity());

  SwitchedProvider() {
    super("Switched", "1", "for tests");
    putService(
        new Service(this, "Signature", "SHA256withECDSA", "Switched", List.of(), null) {
          @Override
          public Object newInstance(@Nullable Object parameter) throws NoSuchAlgorithmException {
            return new Switched();
          }
        });
  }

  void beforeEachSignature(Callable<?> action) {
    before.set(action);
  }

  /** What is given in the place of each signature. */
  void instead(UnaryOperator<byte[]> ofSignature) {
    given.set(ofSignature);
  }

  private final class Switched extends SignatureSpi {
    private final Signature delegate;

    Switched() throws NoSuchAlgorithmException {
      delegate = Signature.getInstance("SHA256withECDSA");
    }

    @Override
    protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
      delegate.initSign(key);
    }

    @Override
    protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
      delegate.initVerify(key);
    }

    @Override
    protected void engineUpdate(byte b) throws SignatureException {
      delegate.update(b);
    }

    @Override
    protected void engineUpdate(byte[] bytes, int offset, int length) throws SignatureException {
      delegate.update(bytes, offset, length);
    }

    @Override
    protected byte[] engineSign() throws SignatureException {
      try {
        before.get().call();
      } catch (Exception e) {
        throw new SignatureException("switched off", e);
      }
      return given.get().apply(delegate.sign());
    }

    @Override
    protected boolean engineVerify(byte[] signature) throws SignatureException {
      return delegate.verify(signature);
    }

    @Override
    @Deprecated
    protected void engineSetParameter(String name, Object value) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void engineSetParameter(AlgorithmParameterSpec parameters) {}

    @Override
    @Deprecated
    protected Object engineGetParameter(String name) {
      throw new UnsupportedOperationException();
    }
  }
}
