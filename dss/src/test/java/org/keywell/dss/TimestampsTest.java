package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.model.DSSException;
import eu.europa.esig.dss.spi.x509.tsp.TSPSource;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a time stamp authority, or someone on the way to it, may answer. */
@Timeout(60)
final class TimestampsTest {

  /** Above all buffers on the way; below any heap. */
  private static final int FLOOD = 48 << 20;

  private final AtomicLong sent = new AtomicLong();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/flood", this::flood);
    server.createContext("/drip", this::drip);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void anAnswerHasALength() throws Exception {
    assertThatExceptionOfType(DSSException.class)
        .isThrownBy(() -> ask("/flood", Duration.ofSeconds(10)));

    assertThat(sent).hasValueLessThan(FLOOD);
  }

  @Test
  void anAnswerHasATimeUpToItsLastByte() throws Exception {
    long start = System.nanoTime();

    assertThatExceptionOfType(DSSException.class)
        .isThrownBy(() -> ask("/drip", Duration.ofMillis(500)));

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
  }

  private void ask(String path, Duration limit) throws Exception {
    TSPSource source =
        Timestamps.of(
            new TimestampAuthority(
                new URI("http://127.0.0.1:" + server.getAddress().getPort() + path), limit));
    var _ = source.getTimeStampResponse(DigestAlgorithm.SHA256, new byte[32]);
  }

  private void flood(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    byte[] piece = new byte[64 << 10];
    try (OutputStream body = exchange.getResponseBody()) {
      while (sent.get() < FLOOD) {
        body.write(piece);
        sent.addAndGet(piece.length);
      }
    }
  }

  /** A byte at a time, each well within the limit. */
  private void drip(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream body = exchange.getResponseBody()) {
      for (int i = 0; i < 100; i++) {
        body.write('0');
        body.flush();
        Thread.sleep(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
