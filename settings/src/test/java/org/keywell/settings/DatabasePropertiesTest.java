package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DatabasePropertiesTest {

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 10, 100})
  void noMoreConnectionsThanConfiguredAreSharedOut(int maxConnections) {
    DatabaseProperties properties =
        new DatabaseProperties(
            "embedded",
            null,
            null,
            null,
            null,
            maxConnections,
            1_024,
            Duration.ZERO,
            false,
            Duration.ofSeconds(10));

    assertThat(properties.readConnections()).isPositive();
    assertThat(properties.otherConnections())
        .as("with the instance's lock")
        .isGreaterThanOrEqualTo(2);
    assertThat(
            DatabaseProperties.RECORD_CONNECTIONS
                + properties.readConnections()
                + properties.otherConnections())
        .isEqualTo(maxConnections);
  }
}
