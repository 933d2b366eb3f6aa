package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.HsmHealth;

/**
 * What a device's answers say about the device. A function that fails {@link #FAILURES} times in a
 * row makes it count as down, until that function succeeds once. Each function is counted by
 * itself: a device that generates and does not sign is down, although every other call succeeds.
 *
 * <p>Thread-safe; allocates nothing while calls succeed.
 */
final class DeviceState implements CallListener {

  /** So many failures of one function in a row mean that the device is down. */
  static final int FAILURES = 5;

  /** Those that a key's life needs, and that {@link Pkcs11Hsm#prove} tries. */
  private static final Set<CkFunction> COUNTED =
      EnumSet.of(
          CkFunction.C_GET_SESSION_INFO,
          CkFunction.C_GET_TOKEN_INFO,
          CkFunction.C_GET_ATTRIBUTE_VALUE,
          CkFunction.C_GENERATE_KEY_PAIR,
          CkFunction.C_WRAP_KEY,
          CkFunction.C_UNWRAP_KEY,
          CkFunction.C_SIGN_INIT,
          CkFunction.C_SIGN,
          CkFunction.C_DESTROY_OBJECT);

  /** Those that a key's use does not need, once it is wrapped. */
  private static final Set<CkFunction> GENERATING =
      EnumSet.of(
          CkFunction.C_GENERATE_KEY_PAIR, CkFunction.C_GET_ATTRIBUTE_VALUE, CkFunction.C_WRAP_KEY);

  /** Those that the use of a loaded key needs. */
  private static final Set<CkFunction> SIGNING =
      EnumSet.of(
          CkFunction.C_GET_SESSION_INFO,
          CkFunction.C_GET_TOKEN_INFO,
          CkFunction.C_SIGN_INIT,
          CkFunction.C_SIGN,
          CkFunction.C_DESTROY_OBJECT);

  private static final Set<CkFunction> NEED_LOGIN =
      EnumSet.of(
          CkFunction.C_LOGIN,
          CkFunction.C_GENERATE_KEY_PAIR,
          CkFunction.C_WRAP_KEY,
          CkFunction.C_UNWRAP_KEY,
          CkFunction.C_SIGN_INIT,
          CkFunction.C_SIGN);

  /**
   * Failures of one function in a row.
   *
   * @param returnValue of the last of them
   * @param inARow how many, at least 1
   * @param firstNanos when the first of them returned, by {@link System#nanoTime}
   * @param lastNanos when the last of them did
   */
  record Failure(
      CkFunction function, long returnValue, int inARow, long firstNanos, long lastNanos) {

    /** Such as {@code C_Sign returned CKR_DEVICE_ERROR (0x30)}. */
    String message() {
      return function.label() + " returned " + ReturnValue.name(returnValue);
    }

    HsmHealth.Failure toHealth() {
      return new HsmHealth.Failure(message(), inARow, firstNanos, lastNanos);
    }
  }

  /** Null where the last call succeeded. The map itself does not change. */
  private final Map<CkFunction, AtomicReference<@Nullable Failure>> failing =
      new EnumMap<>(CkFunction.class);

  /** Its values, to be read without an iterator. */
  private final List<AtomicReference<@Nullable Failure>> entries;

  /** Those of {@link #SIGNING}. */
  private final List<AtomicReference<@Nullable Failure>> signing;

  private volatile @Nullable Failure last;
  private volatile long lastSuccessNanos = System.nanoTime();
  private volatile boolean loggedIn = true;

  /** A state of a device that nothing is known of yet: it counts as up, and as logged in. */
  DeviceState() {
    COUNTED.forEach(function -> failing.put(function, new AtomicReference<>()));
    entries = List.copyOf(failing.values());
    signing =
        SIGNING.stream().map(function -> Objects.requireNonNull(failing.get(function))).toList();
  }

  @Override
  public void returned(CkFunction function, long returnValue, long beganNanos, long endedNanos) {
    if (returnValue == 0) {
      succeeded(function, endedNanos);
    } else {
      failed(function, returnValue, endedNanos);
    }
  }

  private void succeeded(CkFunction function, long nanos) {
    lastSuccessNanos = nanos;
    AtomicReference<@Nullable Failure> failure = failing.get(function);
    if (failure != null && failure.get() != null) {
      failure.set(null);
    }
    if (!loggedIn && NEED_LOGIN.contains(function)) {
      loggedIn = true;
    }
  }

  private void failed(CkFunction function, long returnValue, long nanos) {
    Optional<Reason> reason = ReturnValue.of(returnValue).map(ReturnValue::reason);
    AtomicReference<@Nullable Failure> failure = failing.get(function);
    if (failure == null || !concernsDevice(function, reason)) {
      return;
    }
    if (reason.equals(Optional.of(Reason.SESSION_LOST))) {
      loggedIn = false;
    }
    last =
        failure.updateAndGet(before ->
            before == null
                ? new Failure(function, returnValue, 1, nanos, nanos)
                : new Failure(
                    function, returnValue, before.inARow() + 1, before.firstNanos(), nanos));
  }

  /** What is said of one key, or of a mechanism that is not offered, is not said of the device. */
  private static boolean concernsDevice(CkFunction function, Optional<Reason> reason) {
    return switch (function) {
      // Its mechanism was accepted by C_SignInit.
      case C_SIGN -> true;

      // Modules answer a damaged key by codes that stand for a failed device elsewhere.
      case C_UNWRAP_KEY -> reason.equals(Optional.of(Reason.SESSION_LOST));
      case C_DESTROY_OBJECT -> !reason.equals(Optional.of(Reason.KEY_GONE));
      default -> !reason.equals(Optional.of(Reason.UNSUPPORTED));
    };
  }

  /** The session or the login turned out to be gone, by other than a return value. */
  void loginLost() {
    loggedIn = false;
  }

  /** Whether session and login were alive when the device was last asked for what needs them. */
  boolean isLoggedIn() {
    return loggedIn;
  }

  /**
   * Whether a function that a loaded key's use needs has failed so often: a key that is leased now
   * would be spent for nothing. For each request: allocates nothing.
   */
  boolean failsToSign() {
    for (int i = 0; i < signing.size(); i++) {
      Failure failure = signing.get(i).get();
      if (failure != null && failure.inARow() >= FAILURES) {
        return true;
      }
    }
    return false;
  }

  /** The function that makes the device count as down, the one that failed first; or none. */
  Optional<Failure> down() {
    @Nullable Failure first = null;
    for (int i = 0; i < entries.size(); i++) {
      Failure failure = entries.get(i).get();
      if (failure != null
          && failure.inARow() >= FAILURES
          && (first == null || failure.firstNanos() - first.firstNanos() < 0)) {
        first = failure;
      }
    }
    return Optional.ofNullable(first);
  }

  /** Whether it is down for the making of keys; if not, it may be for their use. */
  boolean failsToGenerate() {
    return GENERATING.stream()
        .anyMatch(function -> {
          Failure failure = Objects.requireNonNull(failing.get(function)).get();
          return failure != null && failure.inARow() >= FAILURES;
        });
  }

  /** The last failure that was counted, over or not; empty if there was none. */
  Optional<Failure> lastFailure() {
    return Optional.ofNullable(last);
  }

  /** When a call last succeeded, by {@link System#nanoTime}; at first, when this was made. */
  long lastSuccessNanos() {
    return lastSuccessNanos;
  }

  private HsmHealth.State state() {
    if (!loggedIn || down().isPresent()) {
      return HsmHealth.State.DOWN;
    }
    return entries.stream().anyMatch(failure -> failure.get() != null)
        ? HsmHealth.State.DOUBTFUL
        : HsmHealth.State.UP;
  }

  /** All of it at this moment, with what else is known of the calls. */
  HsmHealth health(int callsInProgress, Duration oldestCall) {
    return new HsmHealth(
        state(),
        false,
        loggedIn,
        lastSuccessNanos,
        down().map(Failure::toHealth),
        lastFailure().map(Failure::toHealth),
        callsInProgress,
        oldestCall);
  }
}
