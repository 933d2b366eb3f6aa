package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;

/** Wraps and unwraps private keys by AES key wrap with padding (RFC 5649). */
final class KeyWrapping {
  static final String MECHANISM = "AES-KWP";

  private final Mechanisms mechanisms;
  private final Brand brand;
  private final WrappingKey wrappingKey;

  KeyWrapping(Mechanisms mechanisms, Brand brand, WrappingKey wrappingKey) {
    this.mechanisms = mechanisms;
    this.brand = brand;
    this.wrappingKey = wrappingKey;
  }

  WrappedKey wrap(Session session, LiveKeyPair keyPair) {
    // No length query first: it costs half of the speed, and NSS answers it with too little.
    ReturnValue.check(
        "C_WrapKey",
        session
            .functions()
            .wrapKey(
                session.handle(),
                mechanisms.keyWrap(),
                wrappingKey.handle(),
                keyPair.privateKey().value(),
                session.output(),
                session.outputCapacity()));
    return new WrappedKey(
        keyPair.privateKey().spec(),
        wrappingKey.id(),
        MECHANISM,
        keyPair.publicKey(),
        session.takeOutput());
  }

  /** Throws if the key cannot be one of this token; no device is asked for that. */
  void requireOurs(WrappedKey key) {
    if (!key.wrapMechanism().equals(MECHANISM)) {
      throw new HsmException(
          Reason.UNSUPPORTED,
          "key is wrapped by " + key.wrapMechanism() + ", this HSM unwraps " + MECHANISM);
    }
    if (!key.wrappingKeyId().equals(wrappingKey.id())) {
      throw new HsmException(
          Reason.WRAPPED_KEY_INVALID,
          "key is wrapped by " + key.wrappingKeyId() + ", this HSM has " + wrappingKey.id());
    }
    if (key.wrappedPrivateKey().length > Session.BUFFER_BYTES) {
      throw new HsmException(
          Reason.WRAPPED_KEY_INVALID,
          "wrapped key is longer than any can be: " + key.wrappedPrivateKey().length + " bytes");
    }
  }

  KeyHandle unwrap(Session session, WrappedKey key, Template template) {
    byte[] wrapped = key.wrappedPrivateKey();
    session.put(0, wrapped, wrapped.length);
    long returned =
        session
            .functions()
            .unwrapKey(
                session.handle(),
                mechanisms.keyWrap(),
                wrappingKey.handle(),
                session.input(),
                wrapped.length,
                template,
                session.newObject());
    if (returned != 0) {
      throw brand.unwrapException(returned);
    }
    return new KeyHandle(session.newObjectHandle(), key.spec());
  }
}
