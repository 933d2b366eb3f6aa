package org.keywell.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
final class ProviderDocumentsTest {

  private static final int LIMIT = 1000;

  private final CountDownLatch end = new CountDownLatch(1);
  private final ProviderDocuments documents = new ProviderDocuments(Duration.ofMillis(500));
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/keys", exchange -> answer(exchange, 200, "keys"));
    server.createContext("/missing", exchange -> answer(exchange, 404, "no"));
    server.createContext("/large", exchange -> answer(exchange, 200, "x".repeat(LIMIT + 1)));
    server.createContext(
        "/moved",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/keys");
          answer(exchange, 302, "");
        });
    server.createContext("/drip", this::drip);
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    documents.close();
    server.stop(0);
  }

  @Test
  void fetchesWhatIsThere(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("keys.json"), "in a file");

    assertThat(documents.fetch(at("/keys"), LIMIT)).asString(UTF_8).isEqualTo("keys");
    assertThat(documents.fetch(ProviderAddress.of(file.toString()), LIMIT))
        .asString(UTF_8)
        .isEqualTo("in a file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/missing", "/large", "/moved", "/drip"})
  void whatIsNotToBeHadIsAFailure(String path) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> documents.fetch(at(path), LIMIT))
        .withMessageContaining(path);
  }

  @Test
  void aFileHasTheSameLimit(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("keys.json"), "x".repeat(LIMIT + 1));

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> documents.fetch(ProviderAddress.of(file.toString()), LIMIT))
        .withMessageContaining("larger than " + LIMIT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://login.example/jwks",
        "http://127.0.0.1.example/jwks",
        "http://127.0.0.1@login.example/jwks",
        "https://user:secret@login.example/jwks",
        "https:///jwks",
        "ftp://login.example/jwks",
        "jar:file:/a.jar!/jwks",
        "keys.json",
        "file:keys.json",
        "file://host/keys.json",
        ""
      })
  void anAddressIsAFileOrBehindTls(String address) {
    assertThatIllegalArgumentException().isThrownBy(() -> ProviderAddress.of(address));
  }

  private ProviderAddress at(String path) {
    return ProviderAddress.of("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length());
      exchange.getResponseBody().write(body.getBytes(UTF_8));
    }
  }

  /** A byte now and then: no single read takes long. */
  private void drip(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, LIMIT);
      while (!end.await(50, TimeUnit.MILLISECONDS)) {
        exchange.getResponseBody().write('x');
        exchange.getResponseBody().flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
