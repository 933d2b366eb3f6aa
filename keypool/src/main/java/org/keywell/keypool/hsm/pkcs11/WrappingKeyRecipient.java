package org.keywell.keypool.hsm.pkcs11;

import java.util.Arrays;
import java.util.Optional;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * A token that receives a wrapping key from {@link WrappingKeyOrigin}. Run it in one process at a
 * time.
 */
public final class WrappingKeyRecipient {
  private WrappingKeyRecipient() {}

  /**
   * Generates a transport pair in the token and proves it. Removes an earlier pair, which
   * invalidates that pair's request.
   *
   * @throws HsmException if the token refuses, such as one without RSA-OAEP; no pair is left then
   */
  public static TransportRequest request(Pkcs11Config config, Pin pin) {
    return request(load(config), config, pin);
  }

  static TransportRequest request(CryptokiLibrary library, Pkcs11Config config, Pin pin) {
    TokenInfo token = new Slots(library.functions()).require(config.tokenLabel());
    try (Session session = Session.openReadWrite(library.functions(), token.slotId())) {
      session.login(Ck.CKU_USER, pin);
      // Never an existing pair: only of a new one is it certain that nobody else knows it.
      TransportKeyPair.removeAll(session);
      try {
        TransportKeyPair pair = TransportKeyPair.generate(session, library.brand(), true);
        pair.prove(session, library.brand());
        return new TransportRequest(token.label(), token.serial(), pair.subjectPublicKeyInfo());
      } catch (RuntimeException e) {
        TransportKeyPair.removeAll(session);
        throw e;
      }
    }
  }

  /**
   * Installs the wrapping key, proves it, and removes the transport pair. If the token already has
   * the key, completes what an earlier run left undone.
   *
   * @param config names the token; the label is the key's own
   * @param enrolled which somebody has compared
   * @throws HsmException if the key is for another token, the label is taken, or the key is not
   *     what its maker says; the token is as it was before
   */
  public static TokenBootstrap.Result accept(Pkcs11Config config, Pin pin, EnrolledKey enrolled) {
    Pkcs11Config withKey = config.withWrappingKeyLabel(enrolled.label());
    CryptokiLibrary library = load(config);
    long slotId = new Slots(library.functions()).require(config.tokenLabel()).slotId();
    try (Session session = Session.openReadWrite(library.functions(), slotId)) {
      session.login(Ck.CKU_USER, pin);
      Optional<TransportKeyPair> pair =
          TransportKeyPair.find(session)
              .filter(
                  found -> Arrays.equals(found.subjectPublicKeyInfo(), enrolled.transportKey()));
      boolean missing = !holds(session, enrolled);
      try {
        if (missing) {
          install(session, library.brand(), pair, enrolled);
        }
        prove(withKey, pin, enrolled);
      } catch (RuntimeException e) {
        if (missing) {
          enrolled.key().takeBack(session, e);
        }
        throw e;
      }
      if (pair.isPresent()) {
        TransportKeyPair.removeAll(session);
      }
      return new TokenBootstrap.Result(missing, "wrapping key " + enrolled.wrappingKeyId());
    }
  }

  /**
   * Removes the key from the token again, because another token could not receive it.
   *
   * @param cause why; if the token does not remove it, that failure is added as suppressed
   */
  public static void withdraw(
      Pkcs11Config config, Pin pin, EnrolledKey enrolled, RuntimeException cause) {
    CryptokiLibrary library = load(config);
    long slotId = new Slots(library.functions()).require(config.tokenLabel()).slotId();
    try (Session session = Session.openReadWrite(library.functions(), slotId)) {
      session.login(Ck.CKU_USER, pin);
      enrolled.key().takeBack(session, cause);
    }
  }

  private static boolean holds(Session session, EnrolledKey enrolled) {
    Optional<WrappingKey> existing = WrappingKey.find(session, enrolled.label());
    if (existing.isPresent() && !existing.get().id().equals(enrolled.wrappingKeyId())) {
      throw new HsmException(
          Reason.NOT_BOOTSTRAPPED,
          "the token has another wrapping key '%s' already: %s, and the answer brings %s"
              .formatted(enrolled.label(), existing.get().id(), enrolled.wrappingKeyId()));
    }
    return existing.isPresent();
  }

  private static void install(
      Session session, Brand brand, Optional<TransportKeyPair> pair, EnrolledKey enrolled) {
    TransportKeyPair recipient =
        pair.orElseThrow(() ->
            new HsmException(
                Reason.WRAPPED_KEY_INVALID,
                "the answer is for another transport key than this token has"));
    new RsaTransport(session, brand)
        .install(recipient.privateKey(), enrolled.encryptedKey(), enrolled.key());
  }

  private static void prove(Pkcs11Config config, Pin pin, EnrolledKey enrolled) {
    try (Pkcs11Hsm hsm = Pkcs11Hsm.open(config, pin::copy)) {
      StartupProof.use(hsm.opening(), enrolled.check(), hsm::destroy);
    } catch (HsmException e) {
      throw new HsmException(
          e.reason(), "the key that was received does not serve: " + e.getMessage(), e);
    }
  }

  private static CryptokiLibrary load(Pkcs11Config config) {
    return CryptokiLibrary.load(config.module(), config.initializeParameters());
  }
}
