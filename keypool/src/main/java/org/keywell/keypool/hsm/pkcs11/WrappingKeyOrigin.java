package org.keywell.keypool.hsm.pkcs11;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * The token that generates a wrapping key for several tokens. Run it in one process at a time.
 *
 * <p>INVARIANT: outside tokens, the key exists only encrypted for transport keys; inside tokens,
 * once this has returned, only as a key that cannot be extracted.
 */
public final class WrappingKeyOrigin {
  private WrappingKeyOrigin() {}

  /**
   * Generates a new wrapping key in the token, and a copy for each of the other tokens.
   *
   * @param config names the new key's label, which must be unique in the token
   * @param transportKeys public keys of the receiving tokens, which somebody has compared
   * @param deliver receives the copies, in the order of the tokens; if it throws, the token is as
   *     it was before
   * @return the new key's id
   * @throws IllegalArgumentException if a transport key is invalid
   * @throws HsmException if the label is taken or the token refuses a step; it is as it was before
   */
  public static String enrol(
      Pkcs11Config config,
      Pin pin,
      List<byte[]> transportKeys,
      Consumer<List<EnrolledKey>> deliver) {
    List<TransportPublicKey> recipients =
        transportKeys.stream().map(TransportPublicKey::of).toList();
    NewWrappingKey key = NewWrappingKey.labelled(config.wrappingKeyLabel());
    CryptokiLibrary library = CryptokiLibrary.load(config.module(), config.initializeParameters());
    long slotId = new Slots(library.functions()).require(config.tokenLabel()).slotId();
    try (Session session = Session.openReadWrite(library.functions(), slotId)) {
      session.login(Ck.CKU_USER, pin);
      requireFree(session, config.wrappingKeyLabel());
      List<byte[]> encrypted = new ArrayList<>();
      try {
        distribute(session, library.brand(), key, recipients, encrypted);
        try (Pkcs11Hsm hsm = Pkcs11Hsm.open(config, pin::copy)) {
          WrappedKey check = StartupProof.make(hsm.opening(), hsm::destroy);
          deliver.accept(answers(key, transportKeys, encrypted, check));
        }
      } catch (RuntimeException e) {
        key.takeBack(session, e);
        throw e;
      }
    }
    return key.id();
  }

  private static void requireFree(Session session, String label) {
    if (!WrappingKey.generations(session, label).isEmpty()) {
      throw new HsmException(
          Reason.NOT_BOOTSTRAPPED,
          "the token has a wrapping key '" + label + "' already; give the new one another label");
    }
  }

  /** Encrypts the key for each recipient, and installs it here in the same way. */
  private static void distribute(
      Session session,
      Brand brand,
      NewWrappingKey key,
      List<TransportPublicKey> recipients,
      List<byte[]> encrypted) {
    RsaTransport transport = new RsaTransport(session, brand);
    try (TemporaryObjects temporary = new TemporaryObjects(session)) {
      long cargo = temporary.add(transport.generateCargo());
      for (TransportPublicKey recipient : recipients) {
        long publicKey = temporary.add(transport.importPublicKey(recipient));
        encrypted.add(transport.wrap(publicKey, cargo));
      }
      TransportKeyPair own = TransportKeyPair.generate(session, brand, false);
      temporary.add(own.publicKey());
      temporary.add(own.privateKey());
      transport.install(own.privateKey(), transport.wrap(own.publicKey(), cargo), key);
    }
  }

  private static List<EnrolledKey> answers(
      NewWrappingKey key, List<byte[]> transportKeys, List<byte[]> encrypted, WrappedKey check) {
    List<EnrolledKey> answers = new ArrayList<>();
    for (int i = 0; i < transportKeys.size(); i++) {
      answers.add(
          new EnrolledKey(
              key.label(),
              key.ckaId(),
              transportKeys.get(i),
              encrypted.get(i),
              check.publicKey(),
              check.wrappedPrivateKey()));
    }
    return answers;
  }
}
