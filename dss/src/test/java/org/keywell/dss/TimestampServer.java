package org.keywell.dss;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code openssl ts} behind HTTP, on loopback: a time stamp authority under a root of its own. */
final class TimestampServer implements AutoCloseable {
  private static final String SETTINGS =
      """
      [tsa]
      default_tsa = here
      [here]
      serial = serial
      signer_cert = tsa.pem
      signer_key = tsa.key
      certs = root.pem
      signer_digest = sha256
      default_policy = 2.999.1
      digests = sha256, sha384, sha512
      ess_cert_id_alg = sha256
      [tsa_extensions]
      basicConstraints = critical, CA:FALSE
      keyUsage = critical, digitalSignature
      extendedKeyUsage = critical, timeStamping
      """;

  private final Tools tools;
  private final HttpServer server;
  private final AtomicInteger queries = new AtomicInteger();
  private volatile boolean broken;

  TimestampServer(Path directory) throws IOException, InterruptedException {
    tools = new Tools(directory);
    Files.writeString(directory.resolve("ts.cnf"), SETTINGS);
    Files.writeString(directory.resolve("serial"), "01\n");
    tools.get(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "30",
        "-sha256",
        "-subj",
        "/CN=Time Stamp Root",
        "-keyout",
        "root.key",
        "-out",
        "root.pem");
    tools.get(
        "openssl",
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=Time Stamps",
        "-keyout",
        "tsa.key",
        "-out",
        "tsa.csr");
    tools.get(
        "openssl",
        "x509",
        "-req",
        "-in",
        "tsa.csr",
        "-CA",
        "root.pem",
        "-CAkey",
        "root.key",
        "-CAcreateserial",
        "-days",
        "20",
        "-sha256",
        "-extfile",
        "ts.cnf",
        "-extensions",
        "tsa_extensions",
        "-out",
        "tsa.pem");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/ts");
  }

  X509Certificate root() throws IOException, CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(
                    Files.readAllBytes(tools.directory().resolve("root.pem"))));
  }

  /** From now on, time stamps contain these certificates as well. */
  void include(String pem) throws IOException {
    Path directory = tools.directory();
    Files.writeString(
        directory.resolve("more.pem"), Files.readString(directory.resolve("root.pem")) + pem);
    Files.writeString(
        directory.resolve("ts.cnf"), SETTINGS.replace("certs = root.pem", "certs = more.pem"));
  }

  /** From now on there is no answer but an error. */
  void breakDown() {
    broken = true;
  }

  /** Answers, at an address of the test's as well. */
  void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] query = exchange.getRequestBody().readAllBytes();
      if (broken) {
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      byte[] reply = reply(query);
      exchange.getResponseHeaders().set("Content-Type", "application/timestamp-reply");
      exchange.sendResponseHeaders(200, reply.length);
      exchange.getResponseBody().write(reply);
    }
  }

  private byte[] reply(byte[] query) throws IOException {
    String name = "query" + queries.incrementAndGet();
    Files.write(tools.directory().resolve(name), query);
    try {
      tools.get(
          "openssl",
          "ts",
          "-reply",
          "-config",
          "ts.cnf",
          "-queryfile",
          name,
          "-out",
          name + ".tsr");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    return Files.readAllBytes(tools.directory().resolve(name + ".tsr"));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
