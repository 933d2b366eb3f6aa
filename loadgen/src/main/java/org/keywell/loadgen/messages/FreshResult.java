package org.keywell.loadgen.messages;

import java.util.List;

/** What was measured of fresh keys. */
public record FreshResult(FreshPlan plan, List<FreshRow> rows) {

  public FreshResult {
    rows = List.copyOf(rows);
  }

  /** Returns a line for each measurement. */
  public String csv() {
    StringBuilder csv =
        new StringBuilder(
            "keys,clients,round,round_trips,seconds,per_second,p50_ms,client_cpu_s,broker_cpu_s,"
                + "service_cpu_s\n");
    for (FreshRow row : rows) {
      for (int i = 0; i < row.rounds().size(); i++) {
        FreshTrial trial = row.rounds().get(i);
        MessageTrial exchange = trial.exchange();
        csv.append(
            "%s,%d,%d,%d,%.3f,%.1f,%.2f,%.2f,%.2f,%.2f\n"
                .formatted(
                    row.keys(),
                    row.clients(),
                    i + 1,
                    exchange.roundTrips(),
                    exchange.seconds(),
                    exchange.perSecond(),
                    trial.medianMillis(),
                    exchange.clientSeconds(),
                    exchange.brokerSeconds(),
                    trial.serviceSeconds()));
      }
    }
    return csv.toString();
  }
}
