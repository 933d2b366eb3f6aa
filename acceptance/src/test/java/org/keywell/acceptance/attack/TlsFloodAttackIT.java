package org.keywell.acceptance.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.attack.SlowConnections.Kind;
import org.keywell.acceptance.running.Footprint;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.TlsAuthority;

/** A caller with a certificate, and who has none, against a service with TLS and a small heap. */
@Tag("attack")
final class TlsFloodAttackIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final List<String> METHODS = List.of("POST", "PUT", "PATCH", "DELETE");
  private static final List<String> CONTENT_TYPES =
      List.of(
          "application/json",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=b",
          "text/plain",
          "application/octet-stream",
          "application/xml",
          "");

  /** The limit of a body, what Tomcat reads beyond it to be polite, and buffers on the way. */
  private static final long READ_AT_MOST = 16_000_000;

  @TempDir Path home;
  @TempDir Path files;
  private TlsAuthority authority;
  private Site site;
  private KeywellProcess keywell;
  private HttpApi http;
  private int port;
  private OrdinaryCaller ordinary;

  @BeforeEach
  void start() throws Exception {
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("portal", "extendedKeyUsage=clientAuth");
    Files.writeString(
        files.resolve("callers.yaml"),
        """
        callers:
          - name: portal
            certificate:
              subject: CN=portal
            roles: [sign, observe]
            identity: trusted-caller
            queue-share-percent: 100
        """);
    site = Site.create(home);
    site.stock(SPEC, 900);
    keywell =
        KeywellProcess.start(
            List.of("-Xmx400m", "-XX:+ExitOnOutOfMemoryError"),
            site.settings(
                Settings.pool(SPEC, 100), authority.serverSettings(), Map.of("server.port", "0")),
            home.resolve("keywell.log"),
            "serve");
    URI base = keywell.awaitReady().base();
    port = base.getPort();
    http = new HttpApi(client(), URI.create("https://127.0.0.1:" + port));
    ordinary = OrdinaryCaller.start(http, this::client);
    Await.until("the ordinary caller is served", () -> ordinary.signed() >= 2);
  }

  @AfterEach
  void wasServedAllTheTime() throws Exception {
    try {
      int before = ordinary.signed();
      Await.until("the ordinary caller is served again", () -> ordinary.signed() >= before + 5);
      ordinary.leave();
      assertThat(ordinary.failures()).isEmpty();
      assertThat(ordinary.longest()).isLessThan(Duration.ofSeconds(5));
      assertThat(keywell.isAlive()).as(keywell.log()).isTrue();
      assertThat(keywell.log()).doesNotContain("OutOfMemoryError", "ERROR");
    } finally {
      keywell.close();
      site.close();
    }
  }

  @Test
  void gigabytesInChunksByEveryMethodInEveryContentType() throws Exception {
    SSLContext tls = authority.context("portal");
    long before = Footprint.liveHeapMebibytes(keywell);
    for (String path : List.of("/sign", "/pool")) {
      for (String method : METHODS) {
        for (String contentType : CONTENT_TYPES) {
          EndlessBody body = EndlessBody.send(tls, port, method, path, contentType);
          String attempt = method + " " + path + " " + contentType + ": " + body;
          assertThat(body.status()).as(attempt).matches(s -> s == 0 || (s >= 400 && s < 500));
          assertThat(body.sent()).as(attempt).isLessThan(READ_AT_MOST);
        }
      }
    }
    assertThat(Footprint.liveHeapMebibytes(keywell)).isLessThan(before + 40);
  }

  /** No handshake, or the first bytes of what is none. */
  @Test
  void tenThousandIdleConnections() throws Exception {
    try (SlowConnections slow =
        SlowConnections.start(port, 10_000, Kind.SILENT, Kind.SILENT, Kind.SLOW_HEAD)) {
      Thread.sleep(Duration.ofSeconds(40));
      assertThat(slow.open() + slow.cut()).isGreaterThan(9_000);
    }
  }

  /** Each has shown its certificate, and sends a byte a second. */
  @Test
  void fourHundredSlowBodies() throws Exception {
    SSLContext tls = authority.context("portal");
    AtomicInteger cut = new AtomicInteger();
    List<Thread> drips = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      drips.add(Thread.startVirtualThread(() -> drip(tls, cut)));
    }
    for (Thread drip : drips) {
      assertThat(drip.join(Duration.ofSeconds(60))).as("a body ends within its time").isTrue();
    }
    assertThat(cut).hasValue(400);
  }

  private void drip(SSLContext tls, AtomicInteger cut) {
    try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /sign HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Content-Length: 10000\r\n\r\n{")
              .getBytes(StandardCharsets.US_ASCII));
      for (int second = 0; second < 60; second++) {
        Thread.sleep(Duration.ofSeconds(1));
        out.write('x');
      }
    } catch (IOException ended) {
      cut.incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpClient client() {
    return HttpClient.newBuilder().sslContext(authority.context("portal")).build();
  }
}
