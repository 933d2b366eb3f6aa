package org.keywell.operations.health;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.Device;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolDepth;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.pool.Depth;
import org.keywell.signing.pool.PoolDepths;

/**
 * The pool: not ready if every kind of key has run out and requests would be refused for it, or if
 * too many keys could not be destroyed. The unknown counts as good: if there are no counts, the
 * database is at fault.
 */
public final class PoolPart implements ReadinessPart {

  private final KeyPools pools;
  private final boolean refusesWhenEmpty;
  private final PoolDepths depths;
  private final ToIntFunction<KeySpec> waitingForKey;
  private final Moments moments;
  private @Nullable Instant since;

  /**
   * @param refusesWhenEmpty whether a request that finds no key is refused
   * @param waitingForKey how many requests wait because their kind has no key
   */
  public PoolPart(
      KeyPools pools,
      boolean refusesWhenEmpty,
      PoolDepths depths,
      ToIntFunction<KeySpec> waitingForKey,
      Moments moments) {
    this.waitingForKey = waitingForKey;
    this.pools = pools;
    this.refusesWhenEmpty = refusesWhenEmpty;
    this.depths = depths;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "pool";
  }

  @Override
  public synchronized PartState state() {
    Map<String, Object> details = new LinkedHashMap<>();
    pools.config().specs().forEach(spec -> details.put(spec.label(), describe(spec)));
    details.put("orphanedKeys", pools.orphans());
    List<String> discarding =
        pools.devices().stream().filter(Device::discardsItsKeys).map(Device::name).toList();
    if (!discarding.isEmpty()) {
      details.put("generatorsStoppedByDiscards", discarding);
    }
    Optional<String> reason = reason();
    if (reason.isEmpty()) {
      since = null;
      return PartState.ready(details);
    }
    if (since == null) {
      since = moments.now();
    }
    return PartState.notReady(reason.get(), since, details);
  }

  private Optional<String> reason() {
    if (pools.atOrphanLimit()) {
      return Optional.of(
          "keywell.pool.max-orphans is reached by " + pools.orphans() + " undestroyed keys");
    }
    return refusesWhenEmpty && pools.config().specs().stream().allMatch(this::isEmpty)
        ? Optional.of("the pool is empty, and keywell.pool.when-empty is refuse")
        : Optional.empty();
  }

  private boolean isEmpty(KeySpec spec) {
    Optional<Depth> depth = depths.of(spec);
    return depth.isPresent() && depth.get().stored() == 0 && pools.depth(spec).free() == 0;
  }

  private Map<String, Object> describe(KeySpec spec) {
    Map<String, Object> described = new LinkedHashMap<>();
    depths.of(spec).ifPresent(depth -> described.put("stored", depth.stored()));
    PoolDepth depth = pools.depth(spec);
    described.put("loaded", depth.loaded());
    if (depth.held() > 0) {
      described.put("heldByOpenActs", depth.held());
    }
    int waiting = waitingForKey.applyAsInt(spec);
    if (waiting > 0) {
      described.put("requestsWithoutKey", waiting);
    }
    return described;
  }
}
