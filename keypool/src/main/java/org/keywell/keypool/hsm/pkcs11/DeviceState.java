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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.HsmHealth;

/**
 * The state of a device, judged by its answers. A function that fails {@link #FAILURES} times in a
 * row makes the device count as down until it succeeds once. Functions are counted separately: a
 * device that generates but does not sign is down, although every other call succeeds. Results that
 * are wrong, such as signatures that do not verify, are counted likewise: the call succeeds with
 * each.
 *
 * <p>Thread-safe; allocates nothing while calls succeed.
 */
final class DeviceState implements CallListener {

  /** Consecutive failures of one function that make the device count as down. */
  static final int FAILURES = 5;

  /** The functions whose results are proved. */
  private static final Set<CkFunction> PROVED =
      EnumSet.of(
          CkFunction.C_SIGN,
          CkFunction.C_WRAP_KEY,
          CkFunction.C_UNWRAP_KEY,
          CkFunction.C_GET_ATTRIBUTE_VALUE,
          CkFunction.C_ENCRYPT,
          CkFunction.C_DECRYPT);

  /** The functions that a key's life needs and that {@link Pkcs11Hsm#prove} tries. */
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

  /** The functions that a key's use does not need once it is wrapped. */
  private static final Set<CkFunction> GENERATING =
      EnumSet.of(
          CkFunction.C_GENERATE_KEY_PAIR, CkFunction.C_GET_ATTRIBUTE_VALUE, CkFunction.C_WRAP_KEY);

  /** The functions that the use of a loaded key needs. */
  private static final Set<CkFunction> SIGNING =
      EnumSet.of(
          CkFunction.C_GET_SESSION_INFO,
          CkFunction.C_GET_TOKEN_INFO,
          CkFunction.C_SIGN_INIT,
          CkFunction.C_SIGN,
          CkFunction.C_DESTROY_OBJECT);

  /**
   * Consecutive failures of one function.
   *
   * @param returnValue of the last of them
   * @param inARow how many, at least 1
   * @param firstNanos when the first of them returned, by {@link System#nanoTime}
   * @param lastNanos when the last of them did
   */
  record Failure(
      CkFunction function, long returnValue, int inARow, long firstNanos, long lastNanos) {

    /** Returns a text such as {@code C_Sign returned CKR_DEVICE_ERROR (0x30)}. */
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

  /** The map's values, to be read without an iterator. */
  private final List<AtomicReference<@Nullable Failure>> entries;

  /** The entries of {@link #SIGNING}. */
  private final List<AtomicReference<@Nullable Failure>> signing;

  private volatile @Nullable Failure last;
  private volatile HsmHealth.@Nullable Failure lastWrong;
  private volatile long lastSuccessNanos = System.nanoTime();

  /** The last call that exceeded its limit since the last proof; null if there was none. */
  private volatile HsmHealth.@Nullable Failure tooLong;

  /** Consecutive wrong results; null where the last one was right. The map does not change. */
  private final Map<CkFunction, AtomicReference<HsmHealth.@Nullable Failure>> wrong =
      new EnumMap<>(CkFunction.class);

  private final AtomicReference<HsmHealth.@Nullable Failure> wrongSignatures;

  private final CallLimits limits;
  private final Room roomToUnwrap = new Room(CkFunction.C_UNWRAP_KEY);
  private final Room roomToGenerate = new Room(CkFunction.C_GENERATE_KEY_PAIR);

  /** Creates the state of a device that nothing is known about yet: it counts as up. */
  DeviceState(CallLimits limits) {
    this.limits = limits;
    COUNTED.forEach(function -> failing.put(function, new AtomicReference<>()));
    PROVED.forEach(function -> wrong.put(function, new AtomicReference<>()));
    wrongSignatures = Objects.requireNonNull(wrong.get(CkFunction.C_SIGN));
    entries = List.copyOf(failing.values());
    signing =
        SIGNING.stream().map(function -> Objects.requireNonNull(failing.get(function))).toList();
  }

  @Override
  public void returned(CkFunction function, long returnValue, long beganNanos, long endedNanos) {
    if (limits.exceeded(function, endedNanos - beganNanos)) {
      tookTooLong(function, beganNanos, endedNanos);
    }
    if (function == CkFunction.C_UNWRAP_KEY) {
      roomToUnwrap.returned(returnValue, endedNanos);
    } else if (function == CkFunction.C_GENERATE_KEY_PAIR) {
      roomToGenerate.returned(returnValue, endedNanos);
    }
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
  }

  private void failed(CkFunction function, long returnValue, long nanos) {
    Optional<Reason> reason = ReturnValue.of(returnValue).map(ReturnValue::reason);
    AtomicReference<@Nullable Failure> failure = failing.get(function);
    if (failure == null || !concernsDevice(function, reason)) {
      return;
    }
    last =
        failure.updateAndGet(before ->
            before == null
                ? new Failure(function, returnValue, 1, nanos, nanos)
                : new Failure(
                    function, returnValue, before.inARow() + 1, before.firstNanos(), nanos));
  }

  /** Whether it concerns the device, rather than one key or a mechanism that is not offered. */
  private static boolean concernsDevice(CkFunction function, Optional<Reason> reason) {
    return switch (function) {
      // C_SignInit has accepted its mechanism.
      case C_SIGN -> true;

      // Modules report a damaged key with codes that mean a failed device elsewhere.
      case C_UNWRAP_KEY -> reason.equals(Optional.of(Reason.SESSION_LOST));
      case C_DESTROY_OBJECT -> !reason.equals(Optional.of(Reason.KEY_GONE));
      default -> !reason.equals(Optional.of(Reason.UNSUPPORTED));
    };
  }

  private void tookTooLong(CkFunction function, long beganNanos, long endedNanos) {
    tooLong =
        new HsmHealth.Failure(
            "%s took %d s".formatted(function.label(), (endedNanos - beganNanos) / 1_000_000_000),
            1,
            beganNanos,
            endedNanos);
  }

  /** Records whether a result that the device returned as good is right. */
  void result(CkFunction function, boolean right, long nanos) {
    AtomicReference<HsmHealth.@Nullable Failure> results =
        Objects.requireNonNull(wrong.get(function));
    if (!right) {
      lastWrong =
          results.updateAndGet(before ->
              before == null
                  ? new HsmHealth.Failure(wrongResult(function), 1, nanos, nanos)
                  : new HsmHealth.Failure(
                      before.message(), before.inARow() + 1, before.firstNanos(), nanos));
    } else if (results.get() != null) {
      results.set(null);
    }
  }

  static String wrongResult(CkFunction function) {
    return function == CkFunction.C_SIGN
        ? "C_Sign returned a signature that does not verify"
        : function.label() + " returned a wrong result";
  }

  private static boolean isDown(HsmHealth.@Nullable Failure failure) {
    return failure != null && failure.inARow() >= FAILURES;
  }

  private Optional<HsmHealth.Failure> returnsGarbage() {
    return wrong.values().stream()
        .flatMap(results -> Stream.ofNullable(results.get()))
        .filter(DeviceState::isDown)
        .findFirst();
  }

  /** Whether the last result of one of these functions was wrong. */
  boolean wasWrong(Set<CkFunction> functions) {
    return functions.stream()
        .anyMatch(function -> Objects.requireNonNull(wrong.get(function)).get() != null);
  }

  /** Whether as many results of encryption or of decryption in a row were wrong. */
  boolean failsToEncrypt() {
    return isDown(Objects.requireNonNull(wrong.get(CkFunction.C_ENCRYPT)).get())
        || isDown(Objects.requireNonNull(wrong.get(CkFunction.C_DECRYPT)).get());
  }

  /** Records that the device has proved itself; clears earlier hangs and wrong results. */
  void proved() {
    tooLong = null;
    for (AtomicReference<HsmHealth.@Nullable Failure> results : wrong.values()) {
      results.set(null);
    }
  }

  /** Records that the device was reopened: its earlier failures say nothing. */
  void reopened() {
    for (AtomicReference<@Nullable Failure> failure : entries) {
      failure.set(null);
    }
    proved();
    roomToUnwrap.emptied();
    roomToGenerate.emptied();
  }

  /** Whether the last unwrapping of a key found no room. */
  boolean isFullToUnwrap() {
    return roomToUnwrap.isFull();
  }

  /** Whether the last generation of a key pair found no room. */
  boolean isFullToGenerate() {
    return roomToGenerate.isFull();
  }

  /**
   * Whether a key leased now would be spent in vain: a function that signing needs failed {@link
   * #FAILURES} times in a row, as many signatures did not verify, or a call hung and no proof
   * succeeded since. Called for each request: allocates nothing.
   */
  boolean failsToSign() {
    if (tooLong != null || isDown(wrongSignatures.get())) {
      return true;
    }
    for (int i = 0; i < signing.size(); i++) {
      Failure failure = signing.get(i).get();
      if (failure != null && failure.inARow() >= FAILURES) {
        return true;
      }
    }
    return false;
  }

  /** Returns the failing function that makes the device count as down, the earliest; or none. */
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

  /** Whether a function that only key generation needs failed on its last call. */
  boolean failsToGenerate() {
    return GENERATING.stream()
        .anyMatch(function -> Objects.requireNonNull(failing.get(function)).get() != null);
  }

  /** Returns the last failure of a counted call, even if it is over; empty if there was none. */
  Optional<Failure> lastFailure() {
    return Optional.ofNullable(last);
  }

  private Optional<HsmHealth.Failure> lastOfAll() {
    HsmHealth.Failure result = lastWrong;
    Failure call = last;
    return result != null && (call == null || call.lastNanos() - result.lastNanos() < 0)
        ? Optional.of(result)
        : Optional.ofNullable(call).map(Failure::toHealth);
  }

  /** Returns when a call last succeeded, by {@link System#nanoTime}, or when this was created. */
  long lastSuccessNanos() {
    return lastSuccessNanos;
  }

  private boolean inDoubt() {
    return wasWrong(PROVED) || entries.stream().anyMatch(failure -> failure.get() != null);
  }

  /** Returns the current health, with what else is known of the device. */
  HsmHealth health(Life life, Calls calls) {
    Calls.@Nullable Running overdue = calls.overdue();
    Optional<HsmHealth.Failure> loss = life.loss();
    Optional<HsmHealth.Failure> down =
        overdue != null
            ? Optional.of(hangs(overdue))
            : loss.or(() -> Optional.ofNullable(tooLong))
                .or(() -> down().map(Failure::toHealth))
                .or(this::returnsGarbage);
    HsmHealth.State state;
    if (down.isEmpty()) {
      state = inDoubt() ? HsmHealth.State.DOUBTFUL : HsmHealth.State.UP;
    } else if (overdue == null && loss.isPresent() && !life.hasReopeningFailed()) {
      state = HsmHealth.State.REOPENING;
    } else {
      state = HsmHealth.State.DOWN;
    }
    return new HsmHealth(
        state,
        overdue != null,
        loss.isEmpty(),
        lastSuccessNanos,
        down,
        lastOfAll(),
        calls.inProgress(),
        Duration.ofNanos(calls.oldestNanos()));
  }

  static HsmHealth.Failure hangs(Calls.Running call) {
    long now = System.nanoTime();
    return new HsmHealth.Failure(
        "%s has not returned for %d s"
            .formatted(call.function().label(), (now - call.beganNanos()) / 1_000_000_000),
        1,
        call.beganNanos(),
        now);
  }
}
