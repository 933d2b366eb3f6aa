package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes key pairs. Nothing but the private key that is returned stays behind, on any path. */
final class KeyPairGeneration {
  private static final Logger log = LoggerFactory.getLogger(KeyPairGeneration.class);

  private final Mechanisms mechanisms;

  KeyPairGeneration(Mechanisms mechanisms) {
    this.mechanisms = mechanisms;
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
    long publicKey = session.newPublicKeyHandle();
    long privateKey = session.newObjectHandle();
    byte[] subjectPublicKeyInfo;
    try {
      subjectPublicKeyInfo = PublicKeyReader.read(session, publicKey, spec);
    } catch (RuntimeException e) {
      destroy(session, privateKey, "private key without a readable public key");
      throw e;
    } finally {
      destroy(session, publicKey, "public key");
    }
    return new LiveKeyPair(new KeyHandle(privateKey, spec), subjectPublicKeyInfo);
  }

  private static void destroy(Session session, long object, String what) {
    Destruction destruction =
        new Destruction(session.functions().destroyObject(session.handle(), object));
    if (!destruction.succeeded()) {
      log.warn(
          "C_DestroyObject of a {} returned {}: it stays until the HSM is closed",
          what,
          ReturnValue.name(destruction.returnValue()));
    }
  }
}
