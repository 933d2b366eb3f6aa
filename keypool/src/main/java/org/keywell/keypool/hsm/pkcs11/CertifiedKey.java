package org.keywell.keypool.hsm.pkcs11;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.security.PrivateKey;
import javax.security.auth.DestroyFailedException;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;

/** A private key in a token, to sign with as often as need be. Thread-safe. */
final class CertifiedKey implements PrivateKey {
  private static final long serialVersionUID = 1;

  private final transient TokenSessions sessions;
  private final transient Signing signing;
  private final transient KeyHandle handle;
  private final boolean readable;
  private final boolean temporary;

  private CertifiedKey(
      TokenSessions sessions,
      Signing signing,
      KeyHandle handle,
      boolean readable,
      boolean temporary) {
    this.sessions = sessions;
    this.signing = signing;
    this.handle = handle;
    this.readable = readable;
    this.temporary = temporary;
  }

  /**
   * Returns a key that stays in the token.
   *
   * @param readable whether it is neither sensitive nor kept from leaving the token
   */
  static CertifiedKey stored(
      TokenSessions sessions, Signing signing, KeyHandle handle, boolean readable) {
    return new CertifiedKey(sessions, signing, handle, readable, false);
  }

  /** Returns a key that was generated as a session object. */
  static CertifiedKey generated(TokenSessions sessions, Signing signing, KeyHandle handle) {
    return new CertifiedKey(sessions, signing, handle, false, true);
  }

  /** Whether it is in the token that these sessions are with. */
  boolean isIn(TokenSessions others) {
    return sessions.slotId() == others.slotId();
  }

  long object() {
    return handle.value();
  }

  KeySpec spec() {
    return handle.spec();
  }

  boolean fits(SignatureScheme scheme) {
    return scheme.fits(handle.spec());
  }

  byte[] sign(SignatureScheme scheme, DigestAlgorithm algorithm, byte[] digest) {
    return sessions.in(session -> {
      signing.begin(session, handle, scheme, algorithm);
      return signing.complete(session, handle, scheme, algorithm, digest);
    });
  }

  /** Destroys a session object that is not needed, such as where no certificate came about. */
  @Override
  public void destroy() throws DestroyFailedException {
    if (!temporary) {
      throw new DestroyFailedException("a key that stays in the token");
    }
    try {
      long returned =
          sessions.in(
              session -> session.functions().destroyObject(session.handle(), handle.value()));
      if (returned != 0 && !ReturnValue.CKR_OBJECT_HANDLE_INVALID.is(returned)) {
        throw new DestroyFailedException("C_DestroyObject: " + ReturnValue.name(returned));
      }
    } catch (HsmException e) {
      throw (DestroyFailedException)
          new DestroyFailedException(String.valueOf(e.getMessage())).initCause(e);
    }
  }

  @Override
  public String getAlgorithm() {
    return handle.spec().algorithm().jcaName();
  }

  /** Returns a format only if the key could be read out. */
  @Override
  public @Nullable String getFormat() {
    return readable ? "PKCS#8" : null;
  }

  @Override
  public byte @Nullable [] getEncoded() {
    return null;
  }

  private void writeObject(ObjectOutputStream out) throws NotSerializableException {
    throw new NotSerializableException(CertifiedKey.class.getName());
  }
}
