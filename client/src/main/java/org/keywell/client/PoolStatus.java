package org.keywell.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code GET /pool}.
 *
 * @param mode {@code pooled} if keys are generated in advance
 * @param simulatedProfile the device that the service's HSM is slowed down to, for experiments;
 *     null if times are the HSM's own
 */
public record PoolStatus(
    String mode, @Nullable Queue queue, List<Pool> pools, @Nullable String simulatedProfile) {

  public static final String POOLED = "pooled";

  public PoolStatus {
    pools = List.copyOf(pools);
  }

  /** The number of sign requests in the queue, and its limit. */
  public record Queue(int length, int limit) {}

  /**
   * One pool of key pairs.
   *
   * @param stored keys in the database, wrapped
   * @param loaded keys in the HSM, ready to sign
   * @param lowWater loading starts when fewer are loaded
   * @param generated keys generated since the service's start
   * @param used keys given to requests since the service's start
   */
  public record Pool(
      String keySpec,
      int stored,
      int loaded,
      int maxStored,
      int loadedCapacity,
      int lowWater,
      long generated,
      long used) {

    /** Returns the number of keys that requests can still use, stored or loaded. */
    public int depth() {
      return stored + loaded;
    }
  }

  /** Returns how many keys of the given kind there are; 0 if there is no such pool. */
  public int depth(String keySpec) {
    return pools.stream().filter(p -> p.keySpec().equals(keySpec)).mapToInt(Pool::depth).sum();
  }

  /** Returns how many keys of the given kind the HSM has loaded; 0 if there is no such pool. */
  public int loaded(String keySpec) {
    return pools.stream().filter(p -> p.keySpec().equals(keySpec)).mapToInt(Pool::loaded).sum();
  }

  public boolean isPooled() {
    return mode.equals(POOLED);
  }
}
