package org.keywell.keypool.hsm.pkcs11;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.TokenData;

/**
 * The wrapping keys that follow each other in a token. Each method logs in to the token, in one
 * attempt. May run beside a service that uses the token.
 */
public final class WrappingKeyGenerations {

  /** A token keeps a data object with this prefix and the id of each key destroyed in it. */
  public static final String DESTROYED = "keywell-destroyed ";

  /**
   * What a token has.
   *
   * @param tokenId see {@link org.keywell.keypool.hsm.Hsm#tokenId}
   * @param ids of the wrapping keys, oldest first
   */
  public record Found(String tokenId, List<String> ids) {}

  private WrappingKeyGenerations() {}

  /**
   * Looks for the keys of a label. Changes nothing.
   *
   * @throws HsmException if the token cannot be used, or one of the keys is not as required
   */
  public static Found find(Pkcs11Config config, Pin pin) {
    return in(
        config,
        pin,
        (session, token) ->
            new Found(
                token.id(),
                WrappingKey.generations(session, config.wrappingKeyLabel()).stream()
                    .map(WrappingKey::id)
                    .toList()));
  }

  /** Returns the label of the key that follows the one with this id. */
  public static String labelAfter(String id) {
    return Generation.ofId(id).next().keyLabel();
  }

  /**
   * Whether a label has a number, and so names one key rather than those that follow each other.
   */
  public static boolean isNumbered(String label) {
    return Generation.of(label).number() > 1;
  }

  /** Whether the key with this id has a label, or follows one that has it. */
  public static boolean isOfLabel(String id, String label) {
    return Generation.ofId(id).label().equals(Generation.of(label).label());
  }

  /** Whether the key with the one id follows that with the other. */
  public static boolean isLater(String id, String other) {
    Generation one = Generation.ofId(id);
    Generation before = Generation.ofId(other);
    return one.label().equals(before.label()) && one.number() > before.number();
  }

  /**
   * Destroys a key, so that nothing it wrapped can be unwrapped here again.
   *
   * @return whether the token had it
   * @throws HsmException if the token does not destroy it
   */
  public static boolean destroy(Pkcs11Config config, Pin pin, String id) {
    return in(config, pin, (session, _) -> destroy(session, id));
  }

  /**
   * Makes the token keep that a key was destroyed, to recognise rows of it that a backup brings
   * back.
   *
   * @throws HsmException if it does not, such as a token that keeps no data objects
   */
  public static void note(Pkcs11Config config, Pin pin, String id, Instant at) {
    TokenData note = new TokenData(DESTROYED + id, at.toString().getBytes(UTF_8));
    boolean _ =
        in(
            config,
            pin,
            (session, _) -> {
              DataObjects.keep(session, note);
              return true;
            });
  }

  private static boolean destroy(Session session, String id) {
    NewWrappingKey key = NewWrappingKey.ofId(id);
    List<Long> objects = key.objects(session);
    for (long object : objects) {
      ReturnValue.check(
          "C_DestroyObject", session.functions().destroyObject(session.handle(), object));
    }
    if (!key.objects(session).isEmpty()) {
      throw new HsmException(
          Reason.FAILED, "wrapping key " + id + " is in the token after C_DestroyObject");
    }
    return !objects.isEmpty();
  }

  private interface Work<T> {
    T in(Session session, TokenInfo token);
  }

  private static <T> T in(Pkcs11Config config, Pin pin, Work<T> work) {
    CryptokiLibrary library = CryptokiLibrary.load(config.module(), config.initializeParameters());
    TokenInfo token = new Slots(library.functions()).require(config.tokenLabel());
    try (Session session = Session.openReadWrite(library.functions(), token.slotId())) {
      session.login(Ck.CKU_USER, pin);
      return work.in(session, token);
    }
  }
}
