package org.keywell.acceptance;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Site;
import org.keywell.testkit.Await;

/** The metrics reach a collector by OTLP, once that is configured. */
final class OtlpIT {

  @TempDir Path home;

  @Test
  void aCollectorGetsTheMetrics() throws Exception {
    Set<String> received = ConcurrentHashMap.newKeySet();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/metrics",
        exchange -> {
          try (exchange) {
            // Names stand in the protobuf message as they are.
            received.add(
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
          }
        });
    collector.start();
    try (Site site = Site.create(home);
        RunningKeywell _ =
            RunningKeywell.start(
                site.settings(
                    Map.of(
                        "management.otlp.metrics.export.enabled", "true",
                        "management.otlp.metrics.export.url",
                            "http://127.0.0.1:%d/v1/metrics"
                                .formatted(collector.getAddress().getPort()),
                        "management.otlp.metrics.export.step", "1s")))) {
      Await.until(
          "the depth of the pool and the HSM's calls are sent",
          () ->
              received.stream()
                  .anyMatch(message ->
                      message.contains("keywell.pool.keys") && message.contains("keywell.hsm")));
    } finally {
      collector.stop(0);
    }
  }
}
