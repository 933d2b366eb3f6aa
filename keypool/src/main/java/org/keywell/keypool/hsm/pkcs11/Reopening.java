package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a token, and reopens it after the loss of its sessions. For one thread at a time.
 *
 * <p>INVARIANT: the module is finalised only while no call is in progress in it, by this or another
 * device of this process or by other users of the module: PKCS#11 leaves open what would happen to
 * such calls.
 */
final class Reopening {

  private static final Logger log = LoggerFactory.getLogger(Reopening.class);

  /** How long calls may take to end before a reopening gives up. */
  static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private final CryptokiLibrary library;
  private final Functions functions;
  private final Pkcs11Config config;
  private final Supplier<Pin> pins;
  private final Consumer<KeyHandle> undestroyed;
  private final Opening.LossListener onLoss;
  private final List<ModuleUser> users = new CopyOnWriteArrayList<>();

  /** Why the PIN is not tried again. */
  private @Nullable HsmException refused;

  /**
   * @param functions those of the library, which report their calls to the device
   * @param pins supplies the user's PIN, for this to close
   */
  Reopening(
      CryptokiLibrary library,
      Functions functions,
      Pkcs11Config config,
      Supplier<Pin> pins,
      Consumer<KeyHandle> undestroyed,
      Opening.LossListener onLoss) {
    this.library = library;
    this.functions = functions;
    this.config = config;
    this.pins = pins;
    this.undestroyed = undestroyed;
    this.onLoss = onLoss;
  }

  /** Adds another user of this token. */
  void add(ModuleUser user) {
    users.add(user);
    library.add(user);
  }

  /**
   * @param proof throws if the token does not work as required
   */
  Opening first(Consumer<Opening> proof) {
    // Until the opening has entered, another device would not know of its calls.
    Lock use = library.sharedUse();
    use.lock();
    try {
      Opening opening = open(proof);
      opening.wrappingKeys().all().stream()
          .filter(key -> !key.bindsUnwraps())
          .forEach(key ->
              log.warn(
                  "wrapping key {} has no CKA_UNWRAP_TEMPLATE: with the PIN, stored keys can be"
                      + " unwrapped in clear; see docs/SECURITY.md",
                  key.id()));
      log.info(
          "opened token '{}' in slot {} ({}), wrapping key {}",
          config.tokenLabel(),
          opening.slotId(),
          library.brand(),
          String.join(" and ", opening.foundWrappingKeyIds()));
      return opening;
    } finally {
      use.unlock();
    }
  }

  /**
   * Ends a lost opening and reopens the token.
   *
   * @param ended may be passed again after a failure
   * @throws HsmException if that fails; a refused PIN is not tried again
   */
  Opening next(Opening ended, Consumer<Opening> proof) {
    if (refused != null) {
      throw new HsmException(
          Reason.LOGIN_REFUSED,
          "the PIN was refused and is not tried again; correct it, then start the service again",
          refused);
    }
    if (!ended.awaitEndOfCalls(MAX_WAIT)) {
      throw stillUsed("a call of this device", "C_Finalize has to wait for it");
    }
    library.leave(ended);
    Lock alone = library.aloneUse();
    lock(alone);
    try {
      if (!library.restart(functions)) {
        users.forEach(ModuleUser::retire);
        close(ended);
      }
      Opening next = openAgain(ended, proof);
      users.forEach(user -> user.renew(next.slotId()));
      return next;
    } finally {
      alone.unlock();
    }
  }

  private Opening openAgain(Opening ended, Consumer<Opening> proof) {
    LoginHistory.requireNoFailure(functions, config.tokenLabel());
    Opening next;
    try {
      next = open(proof);
    } catch (HsmException e) {
      if (e.reason() == Reason.LOGIN_REFUSED) {
        refused = e;
      }
      throw e;
    } catch (RuntimeException e) {
      // Such as a missing PIN file: the service already runs, so no start can be refused.
      throw new HsmException(Reason.FAILED, String.valueOf(e.getMessage()), e);
    }
    if (Collections.disjoint(next.foundWrappingKeyIds(), ended.foundWrappingKeyIds())) {
      close(next);
      throw new HsmException(
          Reason.NOT_BOOTSTRAPPED,
          "the token has wrapping key %s now, not %s: it is another token"
              .formatted(
                  String.join(" and ", next.foundWrappingKeyIds()),
                  String.join(" and ", ended.foundWrappingKeyIds())));
    }
    return next;
  }

  private Opening open(Consumer<Opening> proof) {
    Opening opening;
    try (Pin pin = pins.get()) {
      opening = Opening.of(library, functions, config, pin, undestroyed, onLoss);
    }
    library.enter(opening);
    try {
      proof.accept(opening);
      return opening;
    } catch (RuntimeException e) {
      // Closing the sessions destroys any keys that are left.
      close(opening);
      throw e;
    }
  }

  /** Does not wait for calls in progress; if there are any, the module is no longer finalised. */
  void close(Opening opening) {
    if (opening.close()) {
      library.forget(opening);
    }
  }

  private static void lock(Lock alone) {
    try {
      if (!alone.tryLock(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw stillUsed("a call of another user of the module", "such as the CA's");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HsmException(Reason.INTERRUPTED, "interrupted while waiting for the module", e);
    }
  }

  private static HsmException stillUsed(String what, String remark) {
    return new HsmException(
        Reason.UNAVAILABLE,
        "%s has not returned for %d s (%s)".formatted(what, MAX_WAIT.toSeconds(), remark));
  }
}
