package org.keywell.loadgen.tls;

import java.util.List;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * All data of a run, as in {@code tls.json}.
 *
 * @param format the version of this format
 * @param startedAt RFC 3339
 * @param openSsl its version
 * @param seed the published figures of {@link TlsScenario#SEED}
 */
public record TlsDocument(
    int format,
    String startedAt,
    double durationSeconds,
    RunEnvironment environment,
    String openSsl,
    TlsPlan plan,
    List<TlsScenario> scenarios,
    TlsFigures seed) {
  private static final int FORMAT = 1;

  public TlsDocument(
      String startedAt,
      double durationSeconds,
      RunEnvironment environment,
      String openSsl,
      TlsPlan plan,
      List<TlsScenario> scenarios) {
    this(
        FORMAT,
        startedAt,
        durationSeconds,
        environment,
        openSsl,
        plan,
        List.copyOf(scenarios),
        TlsFigures.SEED);
  }

  /** Returns a line for each metric, in the form of the workload's own table. */
  public String csv() {
    StringBuilder csv =
        new StringBuilder("ScenarioName,Server,Round,MetricName,MetricUnit,MetricValue\n");
    for (TlsScenario one : scenarios) {
      append(csv, one.name(), "service,all", one.service());
      append(csv, one.name(), "s_server,all", one.sServer());
      for (int i = 0; i < one.rounds().size(); i++) {
        append(csv, one.name(), "service," + (i + 1), one.rounds().get(i).service());
        append(csv, one.name(), "s_server," + (i + 1), one.rounds().get(i).sServer());
      }
    }
    append(csv, TlsScenario.SEED, "seed,all", seed);
    return csv.toString();
  }

  private static void append(StringBuilder csv, String scenario, String of, TlsFigures figures) {
    figures
        .metrics()
        .forEach((name, value) ->
            csv.append(
                String.join(",", scenario, of, name, TlsFigures.unit(name), TlsFigures.text(value))
                    + "\n"));
  }
}
