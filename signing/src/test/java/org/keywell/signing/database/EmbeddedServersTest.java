package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.keywell.settings.StartRefusedException;

/** As in the deployed jar, no embedded server is on the class path here. */
final class EmbeddedServersTest {

  @Test
  void whereNoneComesAlongTheRefusalNamesTheSetting() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(EmbeddedServers::included)
        .withMessageContaining("keywell.database.url")
        .withMessageContaining("jdbc:postgresql:");
  }
}
