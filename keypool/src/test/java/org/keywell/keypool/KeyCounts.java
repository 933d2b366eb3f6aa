package org.keywell.keypool;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.keywell.keypool.hsm.KeySpec;

/** Records what the pool's listener is told, for one kind of key and one thread. */
public final class KeyCounts implements PoolListener {

  public long stored;
  public long generationFailed;
  public long claimed;
  public long unwrapped;
  public long loaded;
  public long leased;
  public long missed;
  public long returned;
  public long onTheFly;
  public long destroyed;
  public long orphaned;
  public long forfeited;
  public final List<Stage> stages = new ArrayList<>();
  public final List<Load> batches = new ArrayList<>();
  private final Map<End, Long> ends = new EnumMap<>(End.class);

  public long ended(End end) {
    return ends.getOrDefault(end, 0L);
  }

  /** Claimed keys that were given to requests, or that no request gets any more. */
  public long accountedFor() {
    return ends.values().stream().mapToLong(Long::longValue).sum() + leased - returned;
  }

  @Override
  public void timed(KeySpec spec, Stage stage, long nanos) {
    stages.add(stage);
  }

  @Override
  public void stored(KeySpec spec) {
    stored++;
  }

  @Override
  public void generationFailed(KeySpec spec) {
    generationFailed++;
  }

  @Override
  public void claimed(KeySpec spec, int keys, long nanos) {
    claimed += keys;
  }

  @Override
  public void unwrapped(KeySpec spec, long nanos) {
    unwrapped++;
  }

  @Override
  public void loaded(KeySpec spec) {
    loaded++;
  }

  @Override
  public void ended(KeySpec spec, int keys, End end) {
    ends.merge(end, (long) keys, Long::sum);
  }

  @Override
  public void finished(KeySpec spec, Load load) {
    batches.add(load);
  }

  @Override
  public void forfeited(int keys) {
    forfeited += keys;
  }

  @Override
  public void leased(KeySpec spec) {
    leased++;
  }

  @Override
  public void missed(KeySpec spec) {
    missed++;
  }

  @Override
  public void returned(KeySpec spec) {
    returned++;
  }

  @Override
  public void generatedOnTheFly(KeySpec spec) {
    onTheFly++;
  }

  @Override
  public void destroyed(KeySpec spec) {
    destroyed++;
  }

  @Override
  public void orphaned(KeySpec spec) {
    orphaned++;
  }
}
