package org.keywell.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A server of plain sockets: reads each request, and then loses connections as a test says. */
final class LossyServer implements AutoCloseable {

  /** What becomes of a connection once its request has been read. */
  enum Loss {
    /** It is closed without a byte. */
    CLOSED,
    /** It is closed with a reset, as when a process is killed. */
    RESET,
    /** It is closed within the answer. */
    CUT,
    /** Nothing comes, and it stays open until the caller closes it. */
    SILENT,
    /** It is answered. */
    NONE
  }

  private final ServerSocket listener;
  private final String scheme;
  private final String answer;
  private final IntFunction<Loss> losses;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger connections = new AtomicInteger();
  private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
  final CountDownLatch silentOneClosed = new CountDownLatch(1);
  final CountDownLatch silentOneReached = new CountDownLatch(1);

  private LossyServer(
      ServerSocket listener, String scheme, String answer, IntFunction<Loss> losses) {
    this.listener = listener;
    this.scheme = scheme;
    this.answer = answer;
    this.losses = losses;
    threads.execute(this::accept);
  }

  /** Answers JSON where the connection of that number, from 1, is not lost. */
  static LossyServer start(String answer, IntFunction<Loss> losses) throws IOException {
    return on(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), "http", answer, losses);
  }

  static LossyServer on(
      ServerSocket listener, String scheme, String answer, IntFunction<Loss> losses) {
    return new LossyServer(listener, scheme, answer, losses);
  }

  URI uri() {
    return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort());
  }

  /** The bodies that have been read so far. */
  List<String> bodies() {
    return List.copyOf(bodies);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        int number = connections.incrementAndGet();
        threads.execute(() -> serve(socket, losses.apply(number)));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket, Loss loss) {
    try (socket) {
      String body = readRequest(socket.getInputStream());
      if (body == null) {
        return;
      }
      bodies.add(body);
      switch (loss) {
        case CLOSED -> {}
        case RESET -> socket.setSoLinger(true, 0);
        case CUT -> write(socket, answer.length(), answer.substring(0, answer.length() / 2));
        case NONE -> write(socket, answer.length(), answer);
        case SILENT -> {
          silentOneReached.countDown();
          boolean ended = socket.getInputStream().read() < 0;
          if (ended) {
            silentOneClosed.countDown();
          }
        }
      }
    } catch (IOException e) {
      silentOneClosed.countDown(); // the caller reset it
    }
  }

  private static void write(Socket socket, int length, String text) throws IOException {
    String head =
        "HTTP/1.1 200 \r\nContent-Type: application/json\r\nConnection: close\r\n"
            + "Content-Length: %d\r\n\r\n".formatted(length);
    socket.getOutputStream().write((head + text).getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** The body of one request; null if the caller sent none. */
  private static @Nullable String readRequest(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      head.write(next);
    }
    int length =
        head.toString(ISO_8859_1)
            .lines()
            .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findAny()
            .orElse(0);
    return new String(in.readNBytes(length), UTF_8);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
  }
}
