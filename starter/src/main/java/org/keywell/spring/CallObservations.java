package org.keywell.spring;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.client.CallEnd;
import org.keywell.client.CallObserver;

/**
 * Creates an observation {@code keywell.client.call} of each call including all of its tries: a
 * timer, and a span if the application has tracing.
 *
 * <p>Low cardinality: {@code operation}; {@code outcome}, which is {@code success}, {@code refused}
 * or {@code unanswered}; {@code problem}, the name of the service's problem, {@code other} if it is
 * not Keywell's, otherwise {@code none}. High cardinality, only for spans: {@code
 * keywell.request.id} and {@code keywell.tries}.
 */
final class CallObservations implements CallObserver {

  static final String NAME = "keywell.client.call";

  /** Another server may answer, and must not flood the application's metrics. */
  private static final Pattern PROBLEM = Pattern.compile("urn:keywell:problem:([a-z0-9-]{1,40})");

  private final ObservationRegistry registry;

  CallObservations(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Observed begins(String operation, @Nullable String id) {
    Observation observation =
        Observation.createNotStarted(NAME, registry)
            .contextualName("keywell " + operation)
            .lowCardinalityKeyValue("operation", operation)
            .highCardinalityKeyValue("keywell.request.id", id == null ? KeyValue.NONE_VALUE : id)
            .start();
    return end -> {
      if (end.failure() != null) {
        observation.error(end.failure());
      }
      observation
          .lowCardinalityKeyValue("outcome", outcome(end))
          .lowCardinalityKeyValue("problem", problem(end))
          .highCardinalityKeyValue("keywell.tries", Integer.toString(end.tries()))
          .stop();
    };
  }

  private static String outcome(CallEnd end) {
    if (end.failure() != null) {
      return "unanswered";
    }
    return end.problem() == null ? "success" : "refused";
  }

  private static String problem(CallEnd end) {
    if (end.problem() == null) {
      return KeyValue.NONE_VALUE;
    }
    Matcher known = PROBLEM.matcher(end.problem());
    return known.matches() ? known.group(1) : "other";
  }
}
