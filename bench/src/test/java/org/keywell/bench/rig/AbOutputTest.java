package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** As ApacheBench 2.3 prints it. */
final class AbOutputTest {
  private static final List<String> PERCENTILES =
      List.of(
          "Percentage served,Time in ms",
          "0,0.436",
          "5,1.200",
          "50,2.125",
          "99,19.255",
          "100,19.460");

  private static String report(String requests) {
    return """
    This is ApacheBench, Version 2.3 <$Revision$>

    Concurrency Level:      4
    Time taken for tests:   0.163 seconds
    %s
    Keep-Alive requests:    198
    Total transferred:      68400 bytes
    Requests per second:    1227.94 [#/sec] (mean)
    Time per request:       3.257 [ms] (mean)
    Time per request:       0.814 [ms] (mean, across all concurrent requests)

    Percentage of the requests served within a certain time (ms)
      50%%      2
     100%%     19 (longest request)
    """
        .formatted(requests);
  }

  @Test
  void figuresAreThoseOfTheCallersAndTimesTheFinerOnes() throws IOException {
    String all =
        """
        Complete requests:      200
        Failed requests:        0\
        """;

    assertThat(new AbOutput(report(all), PERCENTILES).run(200))
        .isEqualTo(new AbRun(1227.94, 3.257, 2.125, 19.255));
  }

  /** ApacheBench's index of a percentile is rounded up: of 50 it is the 51st. */
  @Test
  void whatApacheBenchFindsBehindTheLastRequestIsNoTime() throws IOException {
    String few =
        """
        Complete requests:      50
        Failed requests:        0\
        """;
    List<String> percentiles = List.of("50,2.125", "99,3409317638883537.000", "100,19.460");

    assertThat(new AbOutput(report(few), percentiles).run(50).p99Millis()).isEqualTo(19.460);
  }

  @Test
  void aRunWithARefusalIsNone() {
    String refused =
        """
        Complete requests:      200
        Failed requests:        0
        Non-2xx responses:      3\
        """;

    assertThatThrownBy(() -> new AbOutput(report(refused), PERCENTILES).run(200))
        .isInstanceOf(IOException.class)
        .hasMessage("200 requests: 200 were answered, of these 0 broken and 3 refused");
  }

  @Test
  void aRunThatEndedEarlyIsNone() {
    String fewer =
        """
        Complete requests:      150
        Failed requests:        0\
        """;

    assertThatThrownBy(() -> new AbOutput(report(fewer), PERCENTILES).run(200))
        .hasMessage("200 requests: 150 were answered, of these 0 broken and 0 refused");
  }

  @Test
  void brokenAnswersAreNone() {
    String broken =
        """
        Complete requests:      200
        Failed requests:        2
           (Connect: 0, Receive: 2, Length: 0, Exceptions: 0)\
        """;

    assertThatThrownBy(() -> new AbOutput(report(broken), PERCENTILES).run(200))
        .hasMessage("200 requests: 200 were answered, of these 2 broken and 0 refused");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> new AbOutput("nothing", PERCENTILES).run(1))
        .isInstanceOf(IOException.class)
        .hasMessage("ApacheBench does not tell its 'Complete requests:': nothing");
    String all =
        """
        Complete requests:      1
        Failed requests:        0\
        """;
    assertThatThrownBy(() -> new AbOutput(report(all), List.of()).run(1))
        .hasMessage("ApacheBench does not tell its percentile 50");
  }
}
