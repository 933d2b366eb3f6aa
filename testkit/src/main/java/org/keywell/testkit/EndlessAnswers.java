package org.keywell.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An HTTP server whose answers are too long at {@code /flood}, and too slow at {@code /drip}.
 * Thread-safe.
 */
public final class EndlessAnswers implements AutoCloseable {

  /** The length of a flood: above all buffers on the way, below any heap. */
  public static final int FLOOD = 48 << 20;

  private final AtomicLong sent = new AtomicLong();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  private EndlessAnswers(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
    var _ = server.createContext("/flood", this::flood);
    var _ = server.createContext("/drip", EndlessAnswers::drip);
    server.start();
  }

  public static EndlessAnswers start() throws IOException {
    return new EndlessAnswers(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  /** Answers at another path, too. */
  public EndlessAnswers with(String path, HttpHandler handler) {
    var _ = server.createContext(path, handler);
    return this;
  }

  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  /** Returns how many bytes of floods have left. */
  public long sent() {
    return sent.get();
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

  /** A byte at a time, each well within any limit, for ten seconds. */
  private static void drip(HttpExchange exchange) throws IOException {
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

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
