package org.keywell.loadgen.drive;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers every request at once in the form and size of a real answer, and signs nothing. Shows
 * what the driver can do when nothing holds it up; since it is in the same process, it uses part of
 * the processor itself.
 */
public final class NullServer implements AutoCloseable {
  private static final int SIGNATURE_BYTES = 256;
  private static final int CERTIFICATE_BYTES = 1_000;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private NullServer(HttpServer server) {
    this.server = server;
  }

  /** Starts one on a free port of the loopback interface. */
  public static NullServer start() throws IOException {
    // Otherwise answers wait for the client's delayed acknowledgements; read only on first use.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    NullServer started = new NullServer(HttpServer.create(address, 1_024));
    byte[] answer = answer();
    started.server.setExecutor(started.threads);
    started.server.createContext("/", exchange -> handle(exchange, answer));
    started.server.start();
    return started;
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static void handle(HttpExchange exchange, byte[] answer) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private static byte[] answer() {
    String certificate = Base64.getEncoder().encodeToString(new byte[CERTIFICATE_BYTES]);
    return """
    {"requestId":"00000000-0000-0000-0000-000000000000","signature":"%s",
     "signatureAlgorithm":"RSASSA-PKCS1-v1_5","certificateChain":["%s","%s","%s"],
     "preGeneratedKeyPair":true,"timestamps":{},"waitingTimeMicros":0,"processTimeMicros":0}
    """
        .formatted(
            Base64.getEncoder().encodeToString(new byte[SIGNATURE_BYTES]),
            certificate,
            certificate,
            certificate)
        .getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
