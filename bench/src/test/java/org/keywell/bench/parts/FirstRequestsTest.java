package org.keywell.bench.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.loadgen.service.FreePorts;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FirstRequestsTest {

  @Test
  void aPercentileIsMetByAsManyRequests() {
    List<Double> descending = Stream.iterate(100.0, each -> each - 1).limit(100).toList();
    FirstRequests requests = new FirstRequests(3_000, descending);

    assertThat(requests.percentile(50)).isEqualTo(50);
    assertThat(requests.percentile(99)).isEqualTo(99);
    assertThat(requests.percentile(100)).isEqualTo(100);
    assertThat(new FirstRequests(1, List.of(7.0)).percentile(99)).isEqualTo(7);
  }

  @Test
  void itAsksUntilSomebodyListensAndCountsFromTheLaunch() throws Exception {
    int port = FreePorts.from(23_000);
    AtomicInteger asked = new AtomicInteger();
    Executor later = CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS);
    CompletableFuture<HttpServer> server =
        CompletableFuture.supplyAsync(() -> listen(port, 200, asked), later);
    try {
      long launched = System.nanoTime() - Duration.ofSeconds(2).toNanos();
      FirstRequests requests = FirstRequests.of(at(port), launched, 5, Duration.ofSeconds(30));

      assertThat(asked).hasValue(5);
      assertThat(requests.millis()).hasSize(5);
      assertThat(requests.untilFirstMillis()).isGreaterThan(2_300);
    } finally {
      server.get(30, TimeUnit.SECONDS).stop(0);
    }
  }

  @Test
  void whatIsNotSignedIsNoFigure() throws Exception {
    int port = FreePorts.from(23_100);
    HttpServer server = listen(port, 503, new AtomicInteger());
    try {
      assertThatThrownBy(
              () -> FirstRequests.of(at(port), System.nanoTime(), 1, Duration.ofSeconds(30)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("503");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void nobodyIsWaitedForWithoutEnd() throws Exception {
    int port = FreePorts.from(23_200);

    assertThatThrownBy(() -> FirstRequests.of(at(port), System.nanoTime(), 1, Duration.ZERO))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nobody listens");
  }

  private static URI at(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  private static HttpServer listen(int port, int status, AtomicInteger asked) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext(
          "/sign",
          exchange -> {
            asked.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
