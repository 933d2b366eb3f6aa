package org.keywell.xks.hsm;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Which HSMs work, proved at most every ten seconds each. Thread-safe. */
public final class HsmProofs {

  private static final long KEPT_NANOS = Duration.ofSeconds(10).toNanos();

  /** Room in a device that works is there sooner. */
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private record Proof(boolean works, long atNanos) {}

  /**
   * Whether an HSM works.
   *
   * @param model of the device
   */
  public record Proved(String name, String model, boolean works) {}

  private final KeyHsms hsms;
  private final LongSupplier nanoClock;
  private final Map<String, Proof> kept = new ConcurrentHashMap<>();

  public HsmProofs(KeyHsms hsms, LongSupplier nanoClock) {
    this.hsms = hsms;
    this.nanoClock = nanoClock;
  }

  /** Returns those that are open, in order. */
  public List<Proved> all() {
    return hsms.all().stream().map(hsm -> new Proved(hsm.name(), hsm.model(), works(hsm))).toList();
  }

  private boolean works(KeyHsm hsm) {
    if (hsm.fails().getAsBoolean()) {
      return false;
    }
    Proof proof = kept.get(hsm.name());
    if (proof == null || nanoClock.getAsLong() - proof.atNanos() > KEPT_NANOS) {
      proof = new Proof(hsms.proves(hsm, PATIENCE), nanoClock.getAsLong());
      if (proof.works()) {
        kept.put(hsm.name(), proof);
      }
    }
    return proof.works();
  }
}
