package org.keywell.keypool.hsm.pkcs11;

import java.util.function.Consumer;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates key pairs. On every path, only the returned private key stays behind; keys that the
 * device does not destroy are reported.
 */
final class KeyPairGeneration {
  private static final Logger log = LoggerFactory.getLogger(KeyPairGeneration.class);

  private final Mechanisms mechanisms;
  private final long epoch;
  private final Consumer<KeyHandle> undestroyed;

  /**
   * @param epoch the epoch of the keys that it generates
   */
  KeyPairGeneration(Mechanisms mechanisms, long epoch, Consumer<KeyHandle> undestroyed) {
    this.mechanisms = mechanisms;
    this.epoch = epoch;
    this.undestroyed = undestroyed;
  }

  LiveKeyPair generate(
      Session session, KeySpec spec, Template publicTemplate, Template privateTemplate) {
    ReturnValue.check(
        "C_GenerateKeyPair",
        session
            .functions()
            .generateKeyPair(
                session.handle(),
                mechanisms.keyPairGen(spec.algorithm()),
                publicTemplate,
                privateTemplate,
                session.newPublicKey(),
                session.newObject()));
    KeyHandle publicKey = new KeyHandle(epoch, session.newPublicKeyHandle(), spec);
    KeyHandle privateKey = new KeyHandle(epoch, session.newObjectHandle(), spec);
    byte[] subjectPublicKeyInfo;
    try {
      subjectPublicKeyInfo = PublicKeyReader.read(session, publicKey.value(), spec);
    } catch (RuntimeException e) {
      destroy(session, privateKey, "private key without a readable public key");
      throw e;
    } finally {
      destroy(session, publicKey, "public key");
    }
    return new LiveKeyPair(privateKey, subjectPublicKeyInfo);
  }

  private void destroy(Session session, KeyHandle key, String what) {
    long returned = session.functions().destroyObject(session.handle(), key.value());
    if (returned != 0) {
      log.warn("C_DestroyObject of a {} returned {}", what, ReturnValue.name(returned));
      undestroyed.accept(key);
    }
  }
}
