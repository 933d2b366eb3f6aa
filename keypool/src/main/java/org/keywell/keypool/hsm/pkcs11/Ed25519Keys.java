package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ed25519 keys that stay in a token, for logs and witnesses: never extractable, for signing only.
 * Not every token has the mechanisms, and SunPKCS11 cannot use them, so a key is used only after it
 * has signed. Thread-safe.
 */
public final class Ed25519Keys {
  private static final Logger log = LoggerFactory.getLogger(Ed25519Keys.class);

  private static final int CKA_ID_BYTES = 16;

  /** The two names of the curve: its object identifier, and a PrintableString (PKCS#11 3.0). */
  private static final List<byte[]> EDWARDS25519 =
      List.of(
          HexFormat.of().parseHex("06032b6570"),
          HexFormat.of().parseHex("130c656477617264733235353139"));

  private final Functions functions;
  private final Supplier<Opening> opening;

  /**
   * @param functions report to nobody: that a token cannot make such keys is no failure of it
   */
  Ed25519Keys(Functions functions, Supplier<Opening> opening) {
    this.functions = functions;
    this.opening = opening;
  }

  /**
   * Makes a key, unless there is one with this label. To be run by one process at a time.
   *
   * @return whether it was made
   * @throws HsmException if the token does not make one, or the new one does not sign
   */
  public boolean ensure(String label) {
    try (Session session = Session.openReadWrite(functions, opening.get().slotId())) {
      if (find(session, Ck.CKO_PRIVATE_KEY, label).isPresent()) {
        return false;
      }
      HsmException refusal = new HsmException(Reason.UNSUPPORTED, "no form of the curve is known");
      for (byte[] curve : EDWARDS25519) {
        try {
          make(session, label, curve);
          return true;
        } catch (HsmException e) {
          log.debug("no Ed25519 key by {}", HexFormat.of().formatHex(curve), e);
          refusal = e;
        }
      }
      throw refusal;
    }
  }

  private static void make(Session session, String label, byte[] curve) {
    byte[] ckaId = new byte[CKA_ID_BYTES];
    new SecureRandom().nextBytes(ckaId);
    long privateKey;
    long publicKey;
    try (Arena arena = Arena.ofConfined()) {
      Template publicTemplate =
          labelled(arena, label, ckaId)
              .no(Cka.CKA_PRIVATE)
              .yes(Cka.CKA_VERIFY)
              .with(Cka.CKA_EC_PARAMS, curve)
              .build();
      Template privateTemplate =
          labelled(arena, label, ckaId)
              .yes(Cka.CKA_PRIVATE, Cka.CKA_SENSITIVE, Cka.CKA_SIGN)
              .no(Cka.CKA_EXTRACTABLE, Cka.CKA_DECRYPT, Cka.CKA_UNWRAP, Cka.CKA_DERIVE)
              .build();
      ReturnValue.check(
          "C_GenerateKeyPair",
          session
              .functions()
              .generateKeyPair(
                  session.handle(),
                  Mechanisms.edwardsKeyPairGen(arena),
                  publicTemplate,
                  privateTemplate,
                  session.newPublicKey(),
                  session.newObject()));
      privateKey = session.newObjectHandle();
      publicKey = session.newPublicKeyHandle();
    }
    try {
      Ed25519Key.prove(session, privateKey, Ed25519Key.publicKey(session, publicKey));
    } catch (RuntimeException e) {
      for (long key : new long[] {privateKey, publicKey}) {
        long returned = session.functions().destroyObject(session.handle(), key);
        if (returned != 0) {
          log.error("a useless Ed25519 key '{}' stays: {}", label, ReturnValue.name(returned));
        }
      }
      throw e;
    }
  }

  private static Template.Builder labelled(Arena arena, String label, byte[] ckaId) {
    return Template.in(arena)
        .yes(Cka.CKA_TOKEN)
        .with(Cka.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8))
        .with(Cka.CKA_ID, ckaId);
  }

  /**
   * Opens a key, which proves that it signs.
   *
   * @return empty if the token has none with this label
   * @throws HsmException if it does not sign, could leave the token, or is not unique
   */
  public Optional<Ed25519Key> find(String label) {
    Opening now = opening.get();
    return now.inSession(session -> find(session, Ck.CKO_PRIVATE_KEY, label))
        .map(_ -> new Ed25519Key(opening, label));
  }

  /**
   * Finds a half of the pair.
   *
   * @throws HsmException if there are several
   */
  static Optional<Long> find(Session session, long objectClass, String label) {
    List<Long> found = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, objectClass)
              .with(Cka.CKA_KEY_TYPE, Ck.CKK_EC_EDWARDS)
              .yes(Cka.CKA_TOKEN)
              .with(Cka.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8))
              .build();
      ObjectSearch.forEach(session, template, found::add);
    }
    if (found.size() > 1) {
      throw new HsmException(
          Reason.NOT_BOOTSTRAPPED, "the token has several Ed25519 keys '" + label + "'");
    }
    return found.stream().findFirst();
  }
}
