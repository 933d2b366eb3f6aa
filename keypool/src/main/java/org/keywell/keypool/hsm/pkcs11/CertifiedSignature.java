package org.keywell.keypool.hsm.pkcs11;

import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.SignatureScheme;

/** Signs with a {@link CertifiedKey} what was hashed here. */
final class CertifiedSignature extends SignatureSpi {
  private final SignatureScheme scheme;
  private final DigestAlgorithm algorithm;
  private final MessageDigest digest;
  private @Nullable CertifiedKey key;

  CertifiedSignature(SignatureScheme scheme, DigestAlgorithm algorithm) {
    this.scheme = scheme;
    this.algorithm = algorithm;
    try {
      this.digest = MessageDigest.getInstance(algorithm.label());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has it", e);
    }
  }

  @Override
  protected void engineInitSign(PrivateKey privateKey) throws InvalidKeyException {
    if (!(privateKey instanceof CertifiedKey certified) || !certified.fits(scheme)) {
      throw new InvalidKeyException("not a key in a token for " + scheme);
    }
    key = certified;
    digest.reset();
  }

  @Override
  protected void engineUpdate(byte oneByte) {
    digest.update(oneByte);
  }

  @Override
  protected void engineUpdate(byte[] bytes, int offset, int length) {
    digest.update(bytes, offset, length);
  }

  @Override
  protected byte[] engineSign() throws SignatureException {
    if (key == null) {
      throw new SignatureException("no key was given");
    }
    try {
      return key.sign(scheme, algorithm, digest.digest());
    } catch (HsmException e) {
      throw new SignatureException(e.getMessage(), e);
    }
  }

  @Override
  protected void engineInitVerify(PublicKey publicKey) throws InvalidKeyException {
    throw new InvalidKeyException("verification is for providers outside of the token");
  }

  @Override
  protected boolean engineVerify(byte[] signature) throws SignatureException {
    throw new SignatureException("not initialised to verify");
  }

  /** Neither scheme has any. */
  @Override
  protected void engineSetParameter(@Nullable AlgorithmParameterSpec parameters) {
    if (parameters != null) {
      throw new InvalidParameterException(scheme + " has no parameters");
    }
  }

  @Override
  @Deprecated
  protected void engineSetParameter(String name, Object value) {
    throw new InvalidParameterException(name);
  }

  @Override
  @Deprecated
  protected Object engineGetParameter(String name) {
    throw new InvalidParameterException(name);
  }
}
