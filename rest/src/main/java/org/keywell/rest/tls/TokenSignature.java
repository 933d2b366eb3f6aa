package org.keywell.rest.tls;

import java.io.ByteArrayOutputStream;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SignatureException;
import java.security.SignatureSpi;
import org.jspecify.annotations.Nullable;

/** ECDSA with SHA-256 by a key that stays in its token. */
final class TokenSignature extends SignatureSpi {

  static final String ALGORITHM = "SHA256withECDSA";

  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private @Nullable TokenPrivateKey key;

  @Override
  protected void engineInitSign(PrivateKey privateKey) throws InvalidKeyException {
    if (!(privateKey instanceof TokenPrivateKey token)) {
      throw new InvalidKeyException("it is not a key of a token");
    }
    message.reset();
    key = token;
  }

  @Override
  protected void engineInitVerify(PublicKey publicKey) throws InvalidKeyException {
    throw new InvalidKeyException("tokens do not verify here");
  }

  @Override
  protected void engineUpdate(byte b) {
    message.write(b);
  }

  @Override
  protected void engineUpdate(byte[] bytes, int offset, int length) {
    message.write(bytes, offset, length);
  }

  @Override
  protected byte[] engineSign() throws SignatureException {
    if (key == null) {
      throw new SignatureException("it has no key");
    }
    byte[] whole = message.toByteArray();
    message.reset();
    return key.sign(whole)
        .orElseThrow(() -> new SignatureException("the token with the server's key does not sign"));
  }

  @Override
  protected boolean engineVerify(byte[] signature) throws SignatureException {
    throw new SignatureException("tokens do not verify here");
  }

  @Override
  @Deprecated
  protected void engineSetParameter(String name, Object value) {
    throw new UnsupportedOperationException(name);
  }

  @Override
  @Deprecated
  protected Object engineGetParameter(String name) {
    throw new UnsupportedOperationException(name);
  }
}
