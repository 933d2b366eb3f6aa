package org.keywell.testkit.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer's keys, published on loopback. */
public final class JwksServer implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger fetches = new AtomicInteger();
  private volatile String document;
  private volatile int status = 200;

  public JwksServer(JWK... keys) {
    this.document = documentOf(keys);
    try {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Public keys only, as an issuer shows them. */
  public static String documentOf(JWK... keys) {
    return new JWKSet(List.of(keys)).toString(true);
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/jwks";
  }

  public void publish(JWK... keys) {
    publish(documentOf(keys));
  }

  public void publish(String text) {
    document = text;
  }

  /** From now on it answers so. */
  public void fail(int with) {
    status = with;
  }

  public void recover() {
    status = 200;
  }

  /** Requests of any kind since the start. */
  public int fetches() {
    return fetches.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    fetches.incrementAndGet();
    try (exchange) {
      byte[] body = document.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
