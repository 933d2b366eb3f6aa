package org.keywell.operations.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.testkit.Scrape;

final class KmipMetricsTest {

  private static final String COUNTER = "keywell_kmip_operations_total";
  private static final long MILLISECOND = 1_000_000;

  private final MeterRegistry registry = Registries.prometheus();
  private final KmipMetrics metrics = new KmipMetrics(registry);

  private double count(String operation, String result) {
    return Registries.scrape(registry)
        .find(COUNTER, "operation", operation, "result", result)
        .orElse(Double.NaN);
  }

  @Test
  void countsAndTimesOperations() {
    String get = "Get";
    metrics.answered(get, null, MILLISECOND);
    metrics.answered(get, null, 3 * MILLISECOND);
    metrics.answered(get, "ObjectNotFound", 2 * MILLISECOND);

    assertThat(count("Get", "success")).isEqualTo(2);
    assertThat(count("Get", "not_found")).isEqualTo(1);
    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_kmip_seconds_count", "operation", "Get")).isEqualTo(3);
    assertThat(scrape.value("keywell_kmip_seconds_sum", "operation", "Get")).isEqualTo(0.006);
  }

  /** An alert that asks for an increase sees the first one. */
  @Test
  void failuresByFaultOfTheServiceStartAtZero() {
    assertThat(count("CreateKeyPair", "failed")).isZero();

    metrics.answered("CreateKeyPair", "GeneralFailure", 1);

    assertThat(count("CreateKeyPair", "failed")).isEqualTo(1);
  }

  @Test
  void unknownOperationsAndUnreadMessagesHaveASeriesEach() {
    metrics.answered(null, "OperationNotSupported", 1);
    metrics.answered(null, "OperationNotSupported", 1);
    metrics.refused("AuthenticationNotSuccessful");

    assertThat(count("other", "unsupported")).isEqualTo(2);
    assertThat(count("none", "denied")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "GeneralFailure, failed",
    "InternalServerError, failed",
    "PermissionDenied, denied",
    "Sensitive, denied",
    "ItemNotFound, not_found",
    "KeyFormatTypeNotSupported, unsupported",
    "UnsupportedProtocolVersion, unsupported",
    "ServerLimitExceeded, limit",
    "ResponseTooLarge, limit",
    "CryptographicFailure, invalid",
    "WrongKeyLifecycleState, invalid"
  })
  void reasonsAreOfFewResults(String reason, String result) {
    metrics.answered("Get", reason, 1);

    assertThat(count("Get", result)).isEqualTo(1);
  }
}
