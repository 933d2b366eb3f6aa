package org.keywell.rest.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.settings.HttpProperties;

/**
 * More connections than there are places, which ask for a large answer, do not read it and come
 * again when they are cut, from the address of a client that does nothing of the kind.
 */
@Tag("process")
@Timeout(120)
final class SlowReadersTest {

  private static final int PLACES = 400;
  private static final int READERS = 700;
  private static final int REQUESTS = 30;
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration IN_TIME = Duration.ofSeconds(10);
  private static final String LARGE = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String GET =
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  @TempDir Path directory;

  private final Tomcat tomcat = new Tomcat();
  private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile boolean over;

  @BeforeEach
  void start() throws Exception {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector(BoundedHttpProtocol.class.getName());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    BoundedHttpProtocol protocol = (BoundedHttpProtocol) connector.getProtocolHandler();
    protocol.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    protocol.bound(
        new HttpProperties(PLACES, LONG, LONG, LONG, Duration.ZERO),
        new Handshakes(1),
        (method, path) -> null);
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "servlet", new Answering());
    context.addServletMapping("/", "servlet");
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    over = true;
    readers.shutdownNow();
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void clientsAreServedBesideThem() throws Exception {
    Socket kept = connect();
    assertThat(head(kept, GET.replace("close", "keep-alive"))).startsWith("HTTP/1.1 200");
    for (int i = 0; i < READERS; i++) {
      readers.execute(this::readNothing);
    }
    while (opened.get() < READERS) {
      Thread.sleep(10);
    }

    long slowest = 0;
    int served = 0;
    for (int i = 0; i < REQUESTS; i++) {
      long began = System.nanoTime();
      served += isServed() ? 1 : 0;
      slowest = Math.max(slowest, System.nanoTime() - began);
    }

    assertThat(served).isEqualTo(REQUESTS);
    assertThat(Duration.ofNanos(slowest)).isLessThan(IN_TIME);
    assertThat(opened.get()).as("they came again").isGreaterThan(READERS);
    assertThat(head(kept, GET)).as("on a kept connection").startsWith("HTTP/1.1 200");
    kept.close();
  }

  private void readNothing() {
    while (!over) {
      try (Socket socket = new Socket()) {
        socket.setReceiveBufferSize(1 << 10);
        socket.connect(address());
        socket.getOutputStream().write(LARGE.getBytes(US_ASCII));
        opened.incrementAndGet();
        while (socket.getInputStream().read() >= 0) {
          Thread.sleep(200);
        }
      } catch (IOException e) {
        // It was cut.
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private boolean isServed() {
    try (Socket socket = connect()) {
      return head(socket, GET).startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      return false;
    }
  }

  private static String head(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new EOFException("after '%s'".formatted(head));
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(address(), (int) IN_TIME.toMillis());
    socket.setSoTimeout((int) IN_TIME.toMillis());
    return socket;
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(
        InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
  }

  private static final class Answering extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[] part = new byte[8 << 10];
      int parts = request.getServletPath().equals("/large") ? 1_000 : 0;
      for (int i = 0; i < parts; i++) {
        response.getOutputStream().write(part);
      }
    }
  }
}
