package org.keywell.loadgen.tls;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.keywell.loadgen.report.Spread;

/**
 * A suite and a file, measured of both servers in turn.
 *
 * @param name as the workload names it
 */
public record TlsScenario(
    @JsonProperty("ScenarioName") String name, String suite, FileSize size, List<Round> rounds) {

  /** The scenario that the workload's description has figures of. */
  static final String SEED = "tls_client_chacha20-poly1305-sha256-1k";

  /** Both servers, one right after the other. */
  public record Round(TlsFigures service, TlsFigures sServer) {}

  TlsScenario(String suite, FileSize size, List<Round> rounds) {
    this(TlsPlan.scenario(suite, size), suite, size, List.copyOf(rounds));
  }

  /** Returns the service's figures, all rounds together. */
  @JsonProperty
  public TlsFigures service() {
    return rounds.stream().map(Round::service).reduce(TlsFigures::plus).orElseThrow();
  }

  /** Returns those of {@code s_server}. */
  @JsonProperty
  public TlsFigures sServer() {
    return rounds.stream().map(Round::sServer).reduce(TlsFigures::plus).orElseThrow();
  }

  /** Returns the service's new connections a second for each of {@code s_server}'s. */
  @JsonProperty
  public Spread newRatio() {
    return ratio(figures -> figures.fresh().connectionsPerSecond());
  }

  /** Returns the same for resumed connections. */
  @JsonProperty
  public Spread reuseRatio() {
    return ratio(figures -> figures.resumed().connectionsPerSecond());
  }

  /** Returns how many of the service's connections should have resumed a session and did not. */
  @JsonProperty
  public long serviceNotResumed() {
    return service().resumed().notResumed();
  }

  /** Returns the same of {@code s_server}'s. */
  @JsonProperty
  public long sServerNotResumed() {
    return sServer().resumed().notResumed();
  }

  private Spread ratio(ToDoubleFunction<TlsFigures> rate) {
    return Spread.of(
        rounds.stream()
            .mapToDouble(round ->
                rate.applyAsDouble(round.service()) / rate.applyAsDouble(round.sServer())));
  }
}
