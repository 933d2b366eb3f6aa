package org.keywell.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.keywell.testkit.StubService;

/** Serves a log's directory as a service does. */
final class LogServer implements AutoCloseable {
  private final HttpServer server;
  private final Path directory;
  private final List<String> paths = new CopyOnWriteArrayList<>();

  LogServer(Path directory) throws IOException {
    this.directory = directory;
    server = HttpServer.create(StubService.anyPort(), 0);
    server.createContext("/log/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** What was asked for, below the log's prefix. */
  List<String> paths() {
    return List.copyOf(paths);
  }

  void forget() {
    paths.clear();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring("/log/".length());
      paths.add(path);
      Path file = directory.resolve(path);
      if (Files.isRegularFile(file)) {
        byte[] content = Files.readAllBytes(file);
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
