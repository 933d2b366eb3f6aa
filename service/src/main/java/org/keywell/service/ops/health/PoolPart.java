package org.keywell.service.ops.health;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyDestroyer;
import org.keywell.keypool.KeyLoader;
import org.keywell.keypool.Shelves;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.pool.Depth;
import org.keywell.service.pool.PoolDepths;

/**
 * The pool: not ready if every kind of key has run out and a request would be refused for it, or if
 * too many keys could not be destroyed. What it does not know it holds to be well: without counts,
 * the database is to blame.
 */
public final class PoolPart implements ReadinessPart {

  private final List<KeySpec> specs;
  private final boolean refusesWhenEmpty;
  private final PoolDepths depths;
  private final Shelves pool;
  private final KeyLoader loader;
  private final KeyDestroyer orphans;
  private final Moments moments;
  private @Nullable Instant since;

  /**
   * @param refusesWhenEmpty whether a request that finds no key is refused
   */
  public PoolPart(
      List<KeySpec> specs,
      boolean refusesWhenEmpty,
      PoolDepths depths,
      Shelves pool,
      KeyLoader loader,
      KeyDestroyer orphans,
      Moments moments) {
    this.specs = List.copyOf(specs);
    this.refusesWhenEmpty = refusesWhenEmpty;
    this.depths = depths;
    this.pool = pool;
    this.loader = loader;
    this.orphans = orphans;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "pool";
  }

  @Override
  public synchronized PartState state() {
    Map<String, Object> details = new LinkedHashMap<>();
    specs.forEach(spec -> details.put(spec.label(), describe(spec)));
    details.put("orphanedKeys", orphans.count());
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
    if (orphans.atLimit()) {
      return Optional.of(
          "keywell.pool.max-orphans is reached by " + orphans.count() + " undestroyed keys");
    }
    return refusesWhenEmpty && specs.stream().allMatch(this::isEmpty)
        ? Optional.of("the pool is empty, and keywell.pool.when-empty is refuse")
        : Optional.empty();
  }

  private boolean isEmpty(KeySpec spec) {
    Optional<Depth> depth = depths.of(spec);
    return depth.isPresent()
        && depth.get().stored() == 0
        && loader.inTransit(spec) == 0
        && pool.loaded(spec) == 0;
  }

  private Map<String, Object> describe(KeySpec spec) {
    Map<String, Object> described = new LinkedHashMap<>();
    depths.of(spec).ifPresent(depth -> described.put("stored", depth.stored()));
    described.put("loaded", pool.loaded(spec));
    return described;
  }
}
