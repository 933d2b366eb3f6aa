package org.keywell.operations.health;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.log.SigningLog;

/**
 * The log: whether its thread still runs. That it was altered is told and stops nothing: requests
 * elsewhere meet the same database.
 */
public final class LogPart implements ReadinessPart {

  private static final String BROKEN =
      "the thread keywell-log has ended: this instance does not extend the log; the log messages say"
          + " why, and a new process helps";

  private final SigningLog log;
  private final Moments moments;
  private @Nullable Instant since;

  LogPart(SigningLog log, Moments moments) {
    this.log = log;
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
      log.damage().ifPresent(damage -> details.put("altered", damage));
    }
    if (!log.isBroken()) {
      return PartState.ready(details);
    }
    if (since == null) {
      since = moments.now();
    }
    return PartState.notReady(BROKEN, since, details);
  }
}
