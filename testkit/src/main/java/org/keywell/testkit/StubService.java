package org.keywell.testkit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers HTTP requests as a test tells it to; a second implementation of the contract's server
 * side, small enough to be wrong on purpose.
 */
public final class StubService implements AutoCloseable {

  /** Makes an answer from a request's body. */
  public interface Responder {
    Answer answer(byte[] body) throws Exception;
  }

  public record Answer(int status, String contentType, byte[] body, Map<String, String> headers) {
    public Answer(int status, String contentType, byte[] body) {
      this(status, contentType, body, Map.of());
    }

    /** The same with one header, such as {@code Retry-After}. */
    public Answer with(String name, String value) {
      return new Answer(status, contentType, body, Map.of(name, value));
    }

    public static Answer json(String body) {
      return new Answer(200, "application/json", body.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer problem(int status, String body) {
      return new Answer(status, "application/problem+json", body.getBytes(StandardCharsets.UTF_8));
    }
  }

  private final HttpServer server;
  private final String scheme;
  private final Map<String, Responder> responders = new ConcurrentHashMap<>();
  private final List<byte[]> bodies = Collections.synchronizedList(new ArrayList<>());
  private final List<Headers> headers = Collections.synchronizedList(new ArrayList<>());
  private final List<InetSocketAddress> callers = Collections.synchronizedList(new ArrayList<>());

  private StubService(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.createContext("/", this::handle);
    server.start();
  }

  public static StubService start() throws IOException {
    return new StubService(HttpServer.create(anyPort(), 0), "http");
  }

  /** Serves through a server that the test has prepared, such as one with TLS. */
  public static StubService on(HttpServer server, String scheme) {
    return new StubService(server, scheme);
  }

  public static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** What {@code "POST /sign"}, for instance, shall get. */
  public void when(String methodAndPath, Responder responder) {
    responders.put(methodAndPath, responder);
  }

  /** The bodies of all requests so far. */
  public List<byte[]> bodies() {
    return List.copyOf(bodies);
  }

  /** The value of a header in each request so far; empty where it was missing. */
  public List<String> headers(String name) {
    return headers.stream().map(all -> Objects.requireNonNullElse(all.getFirst(name), "")).toList();
  }

  /** Where each request so far came from: a kept connection has one address. */
  public List<InetSocketAddress> callers() {
    return List.copyOf(callers);
  }

  public URI uri() {
    return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      bodies.add(body);
      headers.add(exchange.getRequestHeaders());
      callers.add(exchange.getRemoteAddress());
      Answer answer = answer(exchange, body);
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(
          answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
      exchange.getResponseBody().write(answer.body());
    }
  }

  private Answer answer(HttpExchange exchange, byte[] body) throws IOException {
    String key = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    Responder responder = responders.get(key);
    if (responder == null) {
      return Answer.problem(404, "{\"title\":\"Not Found\",\"status\":404}");
    }
    try {
      return responder.answer(body);
    } catch (Exception e) {
      throw new IOException("the stub's responder failed", e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
