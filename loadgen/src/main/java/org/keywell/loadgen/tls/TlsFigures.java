package org.keywell.loadgen.tls;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was measured of a server with one suite and one file.
 *
 * @param fresh each connection with a new session
 * @param resumed each connection resuming the first one's session
 */
public record TlsFigures(Trial fresh, Trial resumed) {

  /** The published figures of {@link TlsScenario#SEED}, on another machine, 30 s each. */
  static final TlsFigures SEED =
      new TlsFigures(new Trial(14_193_720, 13_290, 0, 31), new Trial(24_037_476, 22_507, 0, 31));

  TlsFigures plus(TlsFigures other) {
    return new TlsFigures(fresh.plus(other.fresh), resumed.plus(other.resumed));
  }

  /** Returns resumed connections a second for each new one. */
  double gain() {
    return resumed.connectionsPerSecond() / fresh.connectionsPerSecond();
  }

  /** Returns all values by the workload's names, in its order. */
  @JsonValue
  Map<String, Double> metrics() {
    Map<String, Double> all = new LinkedHashMap<>();
    add(all, "", "New", fresh);
    add(all, "Reuse", "Reuse", resumed);
    return all;
  }

  private static void add(Map<String, Double> all, String prefix, String rates, Trial trial) {
    all.put(prefix + "TotalBytesRead", (double) trial.bytes());
    all.put(prefix + "NumberOfConnections", (double) trial.connections());
    all.put(prefix + "Duration", trial.seconds());
    all.put(prefix + "BytesReadPerConnection", (double) trial.bytes() / trial.connections());
    all.put(rates + "ConnectionThroughput", trial.bytesPerSecond());
    all.put(rates + "ConnectionsPerSec", trial.connectionsPerSecond());
  }

  /** Returns the unit of a metric, as the workload names it. */
  static String unit(String metric) {
    return switch (metric.replaceFirst("^(New|Reuse)", "")) {
      case "TotalBytesRead" -> "bytes";
      case "Duration" -> "seconds";
      case "BytesReadPerConnection" -> "bytes/connection";
      case "ConnectionThroughput" -> "bytes/sec";
      default -> "count";
    };
  }

  /** Returns a value with three decimals, or none where there are only zeros. */
  static String text(double value) {
    return "%.3f".formatted(value).replaceFirst("\\.000$", "");
  }
}
