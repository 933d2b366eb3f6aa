package org.keywell.operations.health;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.caller.CallerRegister;

/** The callers: whether their file is still monitored, so that removed callers are refused. */
public final class CallersPart implements ReadinessPart {

  private static final String BROKEN =
      "the thread keywell-callers has ended: changes of keywell.security.callers-file do not count;"
          + " the log says why, and a new process helps";

  private final CallerRegister register;
  private final Moments moments;
  private @Nullable Instant since;

  public CallersPart(CallerRegister register, Moments moments) {
    this.register = register;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "callers";
  }

  @Override
  public synchronized PartState state() {
    Map<String, Object> details =
        Map.of("callers", register.size(), "fileRefused", register.isFileRefused());
    if (!register.isBroken()) {
      return PartState.ready(details);
    }
    if (since == null) {
      since = moments.now();
    }
    return PartState.notReady(BROKEN, since, details);
  }
}
