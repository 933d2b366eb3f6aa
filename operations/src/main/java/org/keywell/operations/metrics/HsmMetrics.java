package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.pkcs11.CallListener;
import org.keywell.keypool.hsm.pkcs11.CkFunction;
import org.keywell.keypool.hsm.pkcs11.ReturnValue;

/** Times each PKCS#11 call of one device, by function and return value. */
final class HsmMetrics implements CallListener {

  private final Meters meters;
  private final String device;

  /** Timers of successful calls: found without a registry look-up, which allocates. */
  private final Map<CkFunction, AtomicReference<@Nullable Timer>> succeeded =
      new EnumMap<>(CkFunction.class);

  HsmMetrics(MeterRegistry registry, String device) {
    this.meters = new Meters(registry);
    this.device = device;
    for (CkFunction function : CkFunction.values()) {
      succeeded.put(function, new AtomicReference<>());
    }
  }

  @Override
  public void returned(CkFunction function, long returnValue, long beganNanos, long endedNanos) {
    Timer timer =
        returnValue == 0
            ? ofSuccess(function)
            : timer(function, ReturnValue.of(returnValue).map(Enum::name).orElse("other"));
    timer.record(endedNanos - beganNanos, TimeUnit.NANOSECONDS);
  }

  private Timer ofSuccess(CkFunction function) {
    AtomicReference<@Nullable Timer> known = Objects.requireNonNull(succeeded.get(function));
    Timer timer = known.get();
    if (timer == null) {
      timer = timer(function, ReturnValue.CKR_OK.name());
      known.set(timer);
    }
    return timer;
  }

  private Timer timer(CkFunction function, String returnValue) {
    return meters.timer(
        "keywell.hsm",
        "Calls of PKCS#11 functions by what they returned",
        Meters.DEVICE,
        device,
        "function",
        function.label(),
        "rv",
        returnValue);
  }
}
