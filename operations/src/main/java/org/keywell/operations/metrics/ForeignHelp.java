package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds help texts to metrics of the web server, which lack them. */
final class ForeignHelp implements MeterFilter {

  private static final Map<String, String> HELP =
      Map.of(
          "http.server.requests", "Answers of the web server",
          "http.server.requests.active", "Requests that the web server works on",
          "tomcat.sessions.active.current", "Web sessions at this moment",
          "tomcat.sessions.active.max", "Most web sessions at the same time",
          "tomcat.sessions.alive.max", "Longest life of a web session that has ended",
          "tomcat.sessions.created", "Web sessions created",
          "tomcat.sessions.expired", "Web sessions that expired",
          "tomcat.sessions.rejected", "Web sessions refused because of their number");

  @Override
  public Meter.Id map(Meter.Id id) {
    @Nullable String help = HELP.get(id.getName());
    return help == null || id.getDescription() != null
        ? id
        : new Meter.Id(
            id.getName(), Tags.of(id.getTagsAsIterable()), id.getBaseUnit(), help, id.getType());
  }
}
