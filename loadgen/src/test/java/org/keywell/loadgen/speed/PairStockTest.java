package org.keywell.loadgen.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PairStockTest {

  private HttpServer service;
  private PairStock stock;
  private volatile String metrics = "";

  @BeforeEach
  void start() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/metrics",
        exchange -> {
          byte[] text = metrics.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(text.length == 0 ? 503 : 200, 0);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    service.start();
    stock =
        new PairStock(
            URI.create("http://127.0.0.1:%d/metrics".formatted(service.getAddress().getPort())));
  }

  @AfterEach
  void stop() {
    stock.close();
    service.stop(0);
  }

  private void tell(String stored, int claimed, int generated, int taken, int made) {
    metrics =
        """
        # TYPE keywell_kmip_pairs gauge
        keywell_kmip_pairs{key_spec="EC-P256",tier="stored"} 900.0
        keywell_kmip_pairs{key_spec="RSA-2048",tier="claimed"} %d.0
        keywell_kmip_pairs{key_spec="RSA-2048",tier="stored"} %s
        keywell_kmip_pairs_capacity{key_spec="RSA-2048"} 40.0
        keywell_kmip_pairs_generated_total{key_spec="RSA-2048"} %d.0
        keywell_kmip_pairs_made_total{key_spec="EC-P256"} 7.0
        keywell_kmip_pairs_made_total{key_spec="RSA-2048"} %d.0
        keywell_kmip_pairs_taken_total{key_spec="RSA-2048"} %d.0
        """
            .formatted(claimed, stored, generated, made, taken);
  }

  @Test
  void aCountThatLagsBehindIsNotBelieved() throws Exception {
    tell("38.0", 0, 5, 0, 0);
    assertThat(stock.ready()).isEqualTo(38);
    tell("40.0", 0, 7, 0, 0);
    assertThat(stock.ready()).isEqualTo(40);

    tell("40.0", 12, 7, 20, 0);
    assertThat(stock.ready()).as("20 are taken, and the store was not counted since").isEqualTo(20);
    tell("8.0", 12, 10, 20, 0);
    assertThat(stock.ready()).isEqualTo(23);
  }

  @Test
  void anUnknownCountIsNone() throws Exception {
    tell("NaN", 0, 0, 0, 0);
    assertThat(stock.ready()).isZero();
  }

  @Test
  void pairsOfAnotherKindAreNotMissed() throws Exception {
    tell("1.0", 0, 0, 0, 0);
    assertThat(stock.hasMissed()).isFalse();
    tell("1.0", 0, 0, 0, 1);
    assertThat(stock.hasMissed()).isTrue();
  }

  @Test
  void aServiceWithoutMetricsIsReported() {
    assertThatIOException().isThrownBy(stock::ready).withMessageEndingWith("answers 503");
  }
}
