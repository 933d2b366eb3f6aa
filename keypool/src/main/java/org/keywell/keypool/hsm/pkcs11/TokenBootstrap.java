package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * Creates what {@link Pkcs11Hsm#open} expects to find. Each step is explicit, does nothing if its
 * result already exists, and resumes where an earlier run stopped. Run it in one process at a time,
 * before any {@link Pkcs11Hsm} is open on the token.
 */
public final class TokenBootstrap {
  /**
   * The result of a step.
   *
   * @param created whether the step changed the token; false if everything already existed
   * @param description names what exists, without secrets
   */
  public record Result(boolean created, String description) {}

  private static final int LOOKS = 10;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private TokenBootstrap() {}

  /**
   * Makes sure that the token exists and its user has a PIN. Leaves a token with a user PIN alone,
   * regardless of that PIN; never reinitialises an existing token.
   *
   * @param soPin for a new token; NSS has none and ignores it
   * @param pin becomes the user's PIN if there is none yet
   * @throws HsmException with {@link Reason#NOT_BOOTSTRAPPED} if the module has no free slot
   */
  public static Result ensureToken(Pkcs11Config config, Pin soPin, Pin pin) {
    CryptokiLibrary library = load(config);
    Functions functions = library.functions();
    Slots slots = new Slots(functions);
    Optional<TokenInfo> existing = find(library, config.tokenLabel(), TokenBootstrap::pause);
    if (existing.isPresent() && existing.get().userPinInitialized()) {
      return tokenResult(false, existing.get());
    }
    if (existing.isEmpty()) {
      initToken(functions, freeSlot(slots), config.tokenLabel(), soPin);
      library.tokenIsMade();
    }
    // Initialising a token may have changed the id of its slot.
    TokenInfo token = slots.require(config.tokenLabel());
    try (Session session = Session.openReadWrite(functions, token.slotId())) {
      if (library.brand().soPinExists()) {
        session.login(Ck.CKU_SO, soPin);
      } else {
        session.loginSoWithoutPin();
      }
      ReturnValue.check(
          "C_InitPIN",
          pin.handTo((bytes, length) -> functions.initPin(session.handle(), bytes, length)));
    }
    return tokenResult(true, token);
  }

  /**
   * Looks for the token, more than once. SoftHSM rewrites a token's file at each login; a process
   * that reads it meanwhile does not see the token, and a second one of its label would keep all
   * others from starting. One that it has read in part fails in every call until it is read again.
   *
   * @param pause between two looks
   */
  static Optional<TokenInfo> find(CryptokiLibrary library, String label, Runnable pause) {
    Slots slots = new Slots(library.functions());
    Optional<TokenInfo> found;
    try {
      found = slots.find(label);
    } catch (HsmException e) {
      boolean _ = library.readTokensAgain();
      throw e;
    }
    for (int look = 1; look < LOOKS && found.isEmpty() && library.readTokensAgain(); look++) {
      found = slots.find(label);
      if (found.isEmpty()) {
        pause.run();
      }
    }
    return found;
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Result tokenResult(boolean created, TokenInfo token) {
    return new Result(created, "token '" + token.label() + "' in slot " + token.slotId());
  }

  private static long freeSlot(Slots slots) {
    return slots.tokens().stream()
        .filter(token -> !token.initialized())
        .findFirst()
        .orElseThrow(
            () -> new HsmException(Reason.NOT_BOOTSTRAPPED, "the module has no slot for a token"))
        .slotId();
  }

  private static void initToken(Functions functions, long slotId, String label, Pin soPin) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment padded = PaddedText.allocate(arena, label, TokenInfo.LABEL_BYTES);
      ReturnValue.check(
          "C_InitToken",
          soPin.handTo((bytes, length) -> functions.initToken(slotId, bytes, length, padded)));
    }
  }

  /**
   * Makes sure that the token has its wrapping key: AES-256, generated inside, sensitive, not
   * extractable, for wrapping and unwrapping only, with a random {@code CKA_ID}. Where the module
   * accepts {@code CKA_UNWRAP_TEMPLATE}, the key unwraps only what Keywell uses.
   *
   * @throws HsmException as {@link Pkcs11Hsm#open} does, also if a key with that label exists but
   *     is not as required: it is neither used nor replaced
   */
  public static Result ensureWrappingKey(Pkcs11Config config, Pin pin) {
    return ensureWrappingKey(config, pin, false);
  }

  /**
   * As {@link #ensureWrappingKey}, for {@link ManagedKeys}: the key has no {@code
   * CKA_UNWRAP_TEMPLATE}, since what it wraps comes back into the token for many uses, and in
   * clear.
   *
   * @throws HsmException as {@link #ensureWrappingKey} does, also if the key has a {@code
   *     CKA_UNWRAP_TEMPLATE}
   */
  public static Result ensureManagedWrappingKey(Pkcs11Config config, Pin pin) {
    return ensureWrappingKey(config, pin, true);
  }

  private static Result ensureWrappingKey(Pkcs11Config config, Pin pin, boolean managed) {
    CryptokiLibrary library = load(config);
    long slotId = new Slots(library.functions()).require(config.tokenLabel()).slotId();
    try (Session session = Session.openReadWrite(library.functions(), slotId)) {
      session.login(Ck.CKU_USER, pin);
      boolean missing = WrappingKey.generations(session, config.wrappingKeyLabel()).isEmpty();
      if (missing) {
        generateWrappingKey(session, library.brand(), config.wrappingKeyLabel(), managed);
      }
      WrappingKey key =
          WrappingKey.requireGenerations(session, config.wrappingKeyLabel()).getFirst();
      if (managed) {
        key.requireUnbound();
      }
      return new Result(missing, "wrapping key " + key.id());
    }
  }

  /**
   * Returns the id of the token's wrapping key, the oldest if there are several generations; empty
   * if it has none yet. Changes nothing.
   *
   * @throws HsmException as {@link #ensureWrappingKey} does
   */
  public static Optional<String> findWrappingKey(Pkcs11Config config, Pin pin) {
    CryptokiLibrary library = load(config);
    long slotId = new Slots(library.functions()).require(config.tokenLabel()).slotId();
    try (Session session = Session.open(library.functions(), slotId)) {
      session.login(Ck.CKU_USER, pin);
      return WrappingKey.generations(session, config.wrappingKeyLabel()).stream()
          .findFirst()
          .map(WrappingKey::id);
    }
  }

  private static void generateWrappingKey(
      Session session, Brand brand, String label, boolean managed) {
    Consumer<Template.Builder> call =
        template ->
            ReturnValue.check(
                "C_GenerateKey",
                session
                    .functions()
                    .generateKey(
                        session.handle(),
                        new Mechanisms(brand).aesKeyGen(),
                        template.with(Cka.CKA_VALUE_LEN, WrappingKey.BYTES).build(),
                        session.newObject()));
    NewWrappingKey key = NewWrappingKey.labelled(label);
    if (managed) {
      key.makeForManagedKeys(call);
    } else {
      key.make(brand, call);
    }
  }

  private static CryptokiLibrary load(Pkcs11Config config) {
    return CryptokiLibrary.load(config.module(), config.initializeParameters());
  }
}
