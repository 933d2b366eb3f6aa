package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import org.keywell.ca.timestamp.StampAnswer;
import org.keywell.ca.timestamp.StampAnswer.Failure;
import org.keywell.signing.stamp.StampListener;

/** Time stamps by result. Thread-safe. */
final class StampMetrics implements StampListener {

  private static final String NAME = "keywell.time.stamps";

  private final Counter granted;
  private final Map<Failure, Counter> rejected = new EnumMap<>(Failure.class);

  StampMetrics(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    String description = "Requests for time stamps by result";
    this.granted = meters.counter(NAME, description, "result", "granted");
    for (Failure failure : Failure.values()) {
      rejected.put(failure, meters.counter(NAME, description, "result", Meters.label(failure)));
    }
  }

  @Override
  public void answered(StampAnswer answer) {
    switch (answer) {
      case StampAnswer.Granted _ -> granted.increment();
      case StampAnswer.Rejected no -> {
        Counter counter = rejected.get(no.failure());
        if (counter != null) {
          counter.increment();
        }
      }
    }
  }
}
