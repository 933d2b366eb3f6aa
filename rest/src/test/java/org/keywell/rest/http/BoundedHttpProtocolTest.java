package org.keywell.rest.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.settings.HttpProperties;

@Timeout(60)
final class BoundedHttpProtocolTest {

  private static final int LIMIT = 20;
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String WAIT = "GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String LARGE = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String EVENTS =
      "GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  private static final String POST =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc";
  private static final Problem FULL =
      new Problem(ProblemType.QUEUE_FULL, "some.limit is reached: 1", Duration.ofMillis(1_500));

  @TempDir Path directory;

  private final Tomcat tomcat = new Tomcat();
  private final CountDownLatch waiting = new CountDownLatch(LIMIT);
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch sending = new CountDownLatch(LIMIT);
  private final CountDownLatch broken = new CountDownLatch(1);
  private final AtomicLong taken = new AtomicLong();
  private final List<Socket> sockets = new ArrayList<>();
  private @Nullable BoundedHttpProtocol protocol;
  private volatile boolean full;

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void aHeadThatDripsIsCut() throws Exception {
    start(SHORT, LONG);

    assertThat(drip(open("GET / HTTP/1.1\r\nX-"))).as("ended").isTrue();
  }

  @Test
  void aHeadThatDripsOnAKeptConnectionIsCut() throws Exception {
    start(SHORT, LONG);
    Socket socket = open(GET);
    assertThat(answer(socket)).startsWith("HTTP/1.1 200");
    // Idle for longer than a head may take: that is allowed.
    Thread.sleep(SHORT.multipliedBy(2));
    send(socket, GET);
    assertThat(answer(socket)).startsWith("HTTP/1.1 200");
    send(socket, "GET / HTTP/1.1\r\nX-");

    assertThat(drip(socket)).as("ended").isTrue();
  }

  @Test
  void aBodyThatDripsIsCut() throws Exception {
    start(LONG, SHORT);

    assertThat(drip(open("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n")))
        .as("ended")
        .isTrue();
  }

  @Test
  void aBodyThatNobodyReadsIsCutAsWell() throws Exception {
    start(SHORT, SHORT);
    full = true;
    Socket socket = open("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n");
    assertThat(answer(socket)).startsWith("HTTP/1.1 503");

    assertThat(drip(socket)).as("ended").isTrue();
  }

  @Test
  void anAnswerMayTakeLongerThanARequest() throws Exception {
    start(SHORT, SHORT);
    Socket socket = open(WAIT);
    Thread.sleep(SHORT.multipliedBy(3));
    go.countDown();

    assertThat(answer(socket)).startsWith("HTTP/1.1 200");
  }

  /** Each byte that is read makes room for another one, so that no write waits for long. */
  @Test
  void anAnswerThatIsReadByteByByteIsCut() throws Exception {
    start(LONG, LONG, SHORT);
    Socket reader = openToReadSlowly(LARGE);

    for (int i = 0; i < 100 && broken.getCount() > 0; i++) {
      assertThat(reader.getInputStream().read()).isNotNegative();
      Thread.sleep(100);
    }
    assertThat(broken.getCount()).as("answers that are still being sent").isZero();
  }

  @Test
  void littleIsKeptOfAnAnswerThatNobodyReads() throws Exception {
    start(LONG, LONG, LONG);
    openToReadSlowly(LARGE);
    while (taken.get() == 0) {
      Thread.sleep(10);
    }

    long before = -1;
    while (taken.get() != before) {
      before = taken.get();
      Thread.sleep(500);
    }
    assertThat(before).isLessThan(256L << 10);
  }

  @Test
  void thoseWhoDoNotReadTheirAnswersMakeRoom() throws Exception {
    start(LONG, LONG, LONG);
    for (int i = 0; i < LIMIT; i++) {
      openToReadSlowly(LARGE);
    }
    assertThat(sending.await(20, TimeUnit.SECONDS)).isTrue();
    Thread.sleep(2_000);

    for (int i = 0; i < 10; i++) {
      assertThat(answer(open(GET))).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void eventsMayGoOn() throws Exception {
    start(LONG, LONG, SHORT);

    assertThat(new String(open(EVENTS).getInputStream().readAllBytes(), US_ASCII))
        .contains("the last event");
  }

  @Test
  void ordinaryCallersGetInHoweverManySlowOnesThereAre() throws Exception {
    start(LONG, LONG);
    for (int i = 0; i < 10 * LIMIT; i++) {
      open(
          switch (i % 3) {
            case 0 -> "";
            case 1 -> "GET / HTTP/1.1\r\nX-";
            default -> "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n";
          });
    }
    for (int i = 0; i < 10; i++) {
      assertThat(answer(open(GET))).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void keptConnectionsMakeRoomForNewOnes() throws Exception {
    start(LONG, LONG);
    for (int i = 0; i < 3 * LIMIT; i++) {
      assertThat(answer(open(GET))).startsWith("HTTP/1.1 200");
    }
    // The youngest are still there.
    Socket youngest = sockets.getLast();
    send(youngest, GET);
    assertThat(answer(youngest)).startsWith("HTTP/1.1 200");
    assertThat(sockets.getFirst().getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void noConnectionIsCutThatWaitsForItsAnswer() throws Exception {
    start(LONG, LONG);
    List<Socket> served = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      served.add(open(WAIT));
    }
    assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < LIMIT; i++) {
      assertThat(open("").getInputStream().read()).as("no room").isEqualTo(-1);
    }
    go.countDown();

    for (Socket socket : served) {
      assertThat(answer(socket)).startsWith("HTTP/1.1 200");
    }
  }

  /** Tomcat itself closes a connection after each answer with status 503. */
  @Test
  void whoIsTurnedAwayKeepsTheConnection() throws Exception {
    start(LONG, LONG);
    full = true;
    Socket socket = open(POST);
    for (int i = 0; i < 3; i++) {
      String answer = answer(socket);
      assertThat(answer)
          .startsWith("HTTP/1.1 503")
          .contains("Content-Type: application/problem+json\r\n", "Retry-After: 2\r\n")
          .endsWith(
              "{\"type\":\"urn:keywell:problem:queue-full\",\"title\":\"Sign queue full\","
                  + "\"status\":503,\"detail\":\"some.limit is reached: 1\"}");
      send(socket, POST);
    }
    full = false;
    answer(socket);
    send(socket, POST);
    assertThat(answer(socket)).startsWith("HTTP/1.1 200");
  }

  @Test
  void whoWantsTheConnectionClosedGetsThat() throws Exception {
    start(LONG, LONG);
    full = true;
    for (String head :
        List.of(
            "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: Close\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
            "POST / HTTP/1.0\r\n\r\n")) {
      Socket socket = open(head);
      assertThat(answer(socket)).startsWith("HTTP/1.1 503").contains("Connection: close\r\n");
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void theLastAnswersSaySo() throws Exception {
    start(LONG, LONG);
    Socket socket = open(GET);
    assertThat(answer(socket)).startsWith("HTTP/1.1 200").doesNotContain("Connection: close");
    Objects.requireNonNull(protocol).lastAnswers();
    send(socket, GET);
    assertThat(answer(socket)).startsWith("HTTP/1.1 200").contains("Connection: close\r\n");
    assertThat(socket.getInputStream().read()).isEqualTo(-1);

    full = true;
    assertThat(answer(open(POST))).startsWith("HTTP/1.1 503").contains("Connection: close\r\n");
  }

  private void start(Duration headTime, Duration bodyTime) throws Exception {
    start(headTime, bodyTime, SHORT);
  }

  private void start(Duration headTime, Duration bodyTime, Duration answerTime) throws Exception {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector(BoundedHttpProtocol.class.getName());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    protocol = (BoundedHttpProtocol) connector.getProtocolHandler();
    protocol.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    protocol.bound(
        new HttpProperties(LIMIT, headTime, bodyTime, answerTime, Duration.ZERO),
        new Handshakes(1),
        (method, path) -> full ? FULL : null);
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "servlet", new Echo());
    context.addServletMapping("/", "servlet");
    tomcat.start();
  }

  private Socket open(String start) throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    send(socket, start);
    return socket;
  }

  private Socket openToReadSlowly(String request) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(1 << 10);
    socket.connect(
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort()));
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    send(socket, request);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  /** Sends a byte ten times a second; whether the connection is ended meanwhile. */
  private static boolean drip(Socket socket) throws InterruptedException {
    try {
      for (int i = 0; i < 50; i++) {
        send(socket, "x");
        Thread.sleep(100);
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Head and body, by the length that is stated. */
  private static String answer(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as("an end after '%s'", answer).isNotNegative();
      answer.append((char) next);
    }
    int at = answer.indexOf("Content-Length: ") + "Content-Length: ".length();
    int length = Integer.parseInt(answer.substring(at, answer.indexOf("\r\n", at)));
    return answer
        .append(new String(socket.getInputStream().readNBytes(length), US_ASCII))
        .toString();
  }

  private final class Echo extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[] body = request.getInputStream().readAllBytes();
      HttpConnection.requestIsComplete(request);
      try {
        switch (request.getServletPath()) {
          case "/wait" -> {
            waiting.countDown();
            go.await();
          }
          case "/large" -> sendLarge(response.getOutputStream());
          case "/events" -> sendEvents(request, response.getOutputStream());
          default -> {
            // No more than an echo.
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
    }

    private void sendLarge(OutputStream out) throws IOException {
      sending.countDown();
      byte[] part = new byte[8 << 10];
      try {
        for (int i = 0; i < 4_096; i++) {
          out.write(part);
          taken.addAndGet(part.length);
        }
      } catch (IOException e) {
        broken.countDown();
        throw e;
      }
    }

    private void sendEvents(HttpServletRequest request, OutputStream out)
        throws IOException, InterruptedException {
      HttpConnection.answerHasNoEnd(request);
      for (int i = 0; i < 15; i++) {
        out.write("an event\n".getBytes(US_ASCII));
        out.flush();
        Thread.sleep(100);
      }
      out.write("the last event".getBytes(US_ASCII));
    }
  }
}
