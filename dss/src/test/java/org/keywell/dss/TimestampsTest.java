package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.model.DSSException;
import eu.europa.esig.dss.spi.x509.tsp.TSPSource;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.testkit.EndlessAnswers;

/** What a time stamp authority, or someone on the way to it, may answer. */
@Timeout(60)
final class TimestampsTest {

  private EndlessAnswers server;

  @BeforeEach
  void serve() throws IOException {
    server = EndlessAnswers.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void anAnswerHasALength() throws Exception {
    assertThatExceptionOfType(DSSException.class)
        .isThrownBy(() -> ask("/flood", Duration.ofSeconds(10)));

    assertThat(server.sent()).isLessThan(EndlessAnswers.FLOOD);
  }

  @Test
  void anAnswerHasATimeUpToItsLastByte() throws Exception {
    long start = System.nanoTime();

    assertThatExceptionOfType(DSSException.class)
        .isThrownBy(() -> ask("/drip", Duration.ofMillis(500)));

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
  }

  private void ask(String path, Duration limit) {
    TSPSource source = Timestamps.of(new TimestampAuthority(server.uri(path), limit));
    var _ = source.getTimeStampResponse(DigestAlgorithm.SHA256, new byte[32]);
  }
}
