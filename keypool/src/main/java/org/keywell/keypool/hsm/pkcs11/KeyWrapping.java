package org.keywell.keypool.hsm.pkcs11;

import java.util.Set;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;

/** Wraps and unwraps private keys with AES key wrap with padding (RFC 5649). */
final class KeyWrapping {
  static final String MECHANISM = "AES-KWP";

  // RFC 5649, section 3: the ciphertext is one semiblock longer than the padded key.
  private static final int SEMIBLOCK_BYTES = 8;
  private static final int MIN_BYTES = 3 * SEMIBLOCK_BYTES;

  private static final Set<Long> OF_DEAD_HANDLE =
      Set.of(
          ReturnValue.CKR_UNWRAPPING_KEY_HANDLE_INVALID.code(),
          ReturnValue.CKR_KEY_HANDLE_INVALID.code(),
          ReturnValue.CKR_OBJECT_HANDLE_INVALID.code());

  private final Mechanisms mechanisms;
  private final Brand brand;
  private final Supplier<WrappingKeys> wrappingKeys;
  private final long epoch;

  /**
   * @param epoch the epoch of the keys that it unwraps
   */
  KeyWrapping(Mechanisms mechanisms, Brand brand, WrappingKey wrappingKey, long epoch) {
    this(mechanisms, brand, () -> WrappingKeys.of(wrappingKey), epoch);
  }

  /**
   * @param wrappingKeys those of this moment
   * @param epoch the epoch of the keys that it unwraps
   */
  KeyWrapping(Mechanisms mechanisms, Brand brand, Supplier<WrappingKeys> wrappingKeys, long epoch) {
    this.epoch = epoch;
    this.mechanisms = mechanisms;
    this.brand = brand;
    this.wrappingKeys = wrappingKeys;
  }

  WrappedKey wrap(Session session, LiveKeyPair keyPair) {
    if (!brand.enforcesExtractable()) {
      requireExtractable(session, keyPair.privateKey());
    }
    WrappingKey wrappingKey = wrappingKeys.get().wraps();
    // No length query first: it halves the speed, and NSS returns too short a length.
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

  private static void requireExtractable(Session session, KeyHandle key) {
    ObjectAttributes attributes = new ObjectAttributes(session, key.value());
    if (!attributes.readBoolean(Cka.CKA_EXTRACTABLE).orElse(false)) {
      throw ReturnValue.exception("C_WrapKey", ReturnValue.CKR_KEY_UNEXTRACTABLE.code());
    }
  }

  /** Throws if the key cannot be this token's. Does not call the device. */
  void requireOurs(WrappedKey key) {
    if (!key.wrapMechanism().equals(MECHANISM)) {
      throw new HsmException(
          Reason.UNSUPPORTED,
          "key is wrapped by " + key.wrapMechanism() + ", this HSM unwraps " + MECHANISM);
    }
    WrappingKey _ = wrappingKeyOf(key);
    int length = key.wrappedPrivateKey().length;
    if (length < MIN_BYTES || length > Session.BUFFER_BYTES || length % SEMIBLOCK_BYTES != 0) {
      throw new HsmException(
          Reason.WRAPPED_KEY_INVALID, "no wrapped key has a length of " + length + " bytes");
    }
  }

  private WrappingKey wrappingKeyOf(WrappedKey key) {
    WrappingKeys ours = wrappingKeys.get();
    return ours.find(key.wrappingKeyId())
        .orElseThrow(() ->
            new HsmException(
                Reason.WRAPPED_KEY_INVALID,
                "key is wrapped by %s, this HSM has %s"
                    .formatted(key.wrappingKeyId(), String.join(" and ", ours.ids()))));
  }

  KeyHandle unwrap(Session session, WrappedKey key, Template template) {
    WrappingKey wrappingKey = wrappingKeyOf(key);
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
      // The codes for a dead handle blame the session. Here another process destroyed the key.
      if (OF_DEAD_HANDLE.contains(returned) && wrappingKey.isGone(session)) {
        throw new HsmException(
            Reason.WRAPPED_KEY_INVALID, "wrapping key " + wrappingKey.id() + " was destroyed");
      }
      throw brand.unwrapException(returned);
    }
    return new KeyHandle(epoch, session.newObjectHandle(), key.spec());
  }
}
