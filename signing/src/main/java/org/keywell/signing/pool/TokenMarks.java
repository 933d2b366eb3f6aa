package org.keywell.signing.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.mark.Comparison;
import org.keywell.keypool.mark.TokenMark;
import org.keywell.keypool.store.ClaimLimit;
import org.keywell.keypool.store.PoolMarks;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.worker.Worker;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.PoolMode;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks in the tokens of this instance that sign: how far keys were claimed, so that a restored
 * database brings none back. Thread-safe.
 */
public final class TokenMarks {

  private static final Logger log = LoggerFactory.getLogger(TokenMarks.class);

  /** Of what others claim within this time, only their own tokens know. */
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final PoolMarks store;
  private final KeywellProperties properties;
  private final Predicate<String> runs;
  private final List<TokenMark> marks = new CopyOnWriteArrayList<>();
  private final Worker worker = new Worker("keywell-marks", this::refresh);

  /**
   * @param runs whether a process runs under an instance's name
   */
  TokenMarks(PoolMarks store, KeywellProperties properties, Predicate<String> runs) {
    this.store = store;
    this.properties = properties;
    this.runs = runs;
  }

  /**
   * Returns the limits of a device that is there at the start, by wrapping key; nothing is claimed
   * before that.
   */
  Function<String, ClaimLimit> of(OpenDevice device) {
    if (!isKept(device)) {
      return _ -> ClaimLimit.NONE;
    }
    TokenMark mark = mark(device);
    marks.add(mark);
    return mark::under;
  }

  /**
   * Returns the limit for the keys that clients manage: whether the device signs or not, they are
   * claimed.
   *
   * @param device its name
   */
  public ClaimLimit ofManaged(String device, Hsm managed) {
    if (!properties.pool().tokenMark()) {
      return ClaimLimit.NONE;
    }
    TokenMark mark = TokenMark.ofManaged(device, managed, store, properties.instance(), runs);
    marks.add(mark);
    return mark;
  }

  /**
   * Returns the limits of a device that comes after the start.
   *
   * @throws StartRefusedException if its mark contradicts the database
   */
  Function<String, ClaimLimit> ofLate(OpenDevice device) {
    if (!isKept(device)) {
      return _ -> ClaimLimit.NONE;
    }
    TokenMark mark = mark(device);
    mark.compare()
        .contradiction()
        .ifPresent(why -> {
          throw new StartRefusedException(
              why + "; restart this instance with keywell.database.accept-restored");
        });
    begin(mark);
    marks.add(mark);
    return mark::under;
  }

  private boolean isKept(OpenDevice device) {
    return properties.pool().tokenMark()
        && properties.pool().mode() == PoolMode.POOLED
        && device.role().signs();
  }

  private TokenMark mark(OpenDevice device) {
    return new TokenMark(device.name(), device.hsm(), store, properties.instance(), runs);
  }

  /** Returns what contradicts the database, for operators. */
  public List<String> contradictions() {
    return marks.stream().flatMap(mark -> mark.compare().contradiction().stream()).toList();
  }

  /**
   * Discards stored keys that may have been used, and lets claims begin.
   *
   * @throws StartRefusedException if a token does not keep its mark
   */
  public void start() {
    marks.forEach(TokenMarks::begin);
    worker.start();
  }

  private static void begin(TokenMark mark) {
    Comparison found = mark.compare();
    long discarded;
    try {
      discarded = mark.begin(found);
    } catch (HsmException e) {
      throw new StartRefusedException(
          "device %s does not keep its mark: %s; for a token that keeps no data objects, set keywell.pool.token-mark=false"
              .formatted(mark.device(), e.getMessage()),
          e);
    }
    if (discarded > 0) {
      log.warn(
          "{} stored keys that may have been used before are discarded ({})",
          discarded,
          found.keys());
    }
  }

  /**
   * Ends the thread, after the last claim.
   *
   * @param inOrder whether this run ends in order, so that the tokens are told
   */
  public void end(Duration limit, boolean inOrder) {
    worker.stop();
    if (!worker.join(limit) || !inOrder) {
      return;
    }
    for (TokenMark mark : marks) {
      try {
        mark.end();
      } catch (HsmException | StoreException e) {
        log.warn("a token does not know of this stop in order: {}", e.getMessage());
      }
    }
  }

  private Duration refresh() {
    for (TokenMark mark : marks) {
      try {
        mark.refresh();
      } catch (HsmException e) {
        log.debug("a mark is not raised, for the device fails", e);
      }
    }
    return EVERY;
  }
}
