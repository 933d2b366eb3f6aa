package org.keywell.operations.health;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.log.Witnesses;

/**
 * The log: whether its threads still run, and whether its witnesses keep up, if a quorum is set.
 * That it was altered is told and stops nothing: requests elsewhere meet the same database.
 */
public final class LogPart implements ReadinessPart {

  private static final String BROKEN =
      "a thread of the log (keywell-log, keywell-witnesses) has ended: this instance does not extend"
          + " the log, or offers it to no witness; the log messages say why, and a new process helps";

  private final SigningLog log;
  private final String origin;
  private final Witnesses witnesses;
  private final Moments moments;
  private @Nullable Instant since;

  /**
   * @param origin of the log; empty if none is kept
   */
  LogPart(SigningLog log, String origin, Witnesses witnesses, Moments moments) {
    this.log = log;
    this.origin = origin;
    this.witnesses = witnesses;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "log";
  }

  @Override
  public synchronized PartState state() {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("kept", log.isKept());
    if (log.isKept()) {
      details.put("missingEntries", log.missing());
      details.put("unsignedEntries", log.unsigned());
      log.damage().or(witnesses::contradiction).ifPresent(damage -> details.put("altered", damage));
      details.putAll(ofWitnesses());
    }
    String why = whyNotReady();
    if (why == null) {
      since = null;
      return PartState.ready(details);
    }
    if (since == null) {
      since = moments.now();
    }
    return PartState.notReady(why, since, details);
  }

  private Map<String, Object> ofWitnesses() {
    Map<String, String> states = witnesses.states();
    return states.isEmpty()
        ? Map.of()
        : Map.of("witnesses", states, "unwitnessedEntries", witnesses.waitingEntries());
  }

  private @Nullable String whyNotReady() {
    if (log.isBroken() || witnesses.isBroken()) {
      return BROKEN;
    }
    return witnesses.areOverdue()
        ? "entries of the log %s have waited %d s for the cosignatures of %d of its witnesses: %s"
            .formatted(
                origin, witnesses.waiting().toSeconds(), witnesses.quorum(), witnesses.states())
        : null;
  }
}
