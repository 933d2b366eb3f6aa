package org.keywell.service.attack;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request over and over, on connections of its own, and counts what is answered. Knows
 * hardly any HTTP, so that it takes little of the machine that it shares with the service.
 */
final class Callers {

  /** What came back, and after how long. A failure has no status. */
  record Result(int status, long nanos) {}

  /**
   * A run.
   *
   * @param failures requests whose connection ended without an answer, by message
   */
  record Report(double seconds, Result[] results, ConcurrentMap<String, AtomicInteger> failures) {

    double perSecond(int status) {
      return Arrays.stream(results).filter(result -> result.status() == status).count() / seconds;
    }

    /** The latency that so many of a hundred answers with the status keep to. */
    double percentileMillis(int status, double percent) {
      long[] nanos =
          Arrays.stream(results)
              .filter(result -> result.status() == status)
              .mapToLong(Result::nanos)
              .sorted()
              .toArray();
      return nanos.length == 0
          ? 0
          : nanos[(int) Math.min(nanos.length - 1, nanos.length * percent / 100)] / 1e6;
    }

    @Override
    public String toString() {
      return "signed %.0f/s (p99 %.0f ms), refused %.0f/s (p99 %.0f ms), without an answer %s"
          .formatted(
              perSecond(200),
              percentileMillis(200, 99),
              perSecond(503),
              percentileMillis(503, 99),
              failures);
    }
  }

  private final URI base;
  private final byte[] request;

  Callers(URI base, String json) {
    this.base = base;
    this.request =
        ("POST /sign HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: %d\r\n\r\n%s".formatted(json.length(), json))
            .getBytes(StandardCharsets.US_ASCII);
  }

  /** So many callers, each of which asks again as soon as it is answered, whatever the answer. */
  Report closedLoop(int callers, long millis) throws InterruptedException {
    Run run = new Run();
    CountDownLatch ended = new CountDownLatch(callers);
    long end = run.start + TimeUnit.MILLISECONDS.toNanos(millis);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < callers; i++) {
        threads.execute(() -> {
          Connection connection = null;
          while (System.nanoTime() < end) {
            connection = run.ask(connection, System.nanoTime());
          }
          close(connection);
          ended.countDown();
        });
      }
      ended.await();
    }
    return run.report();
  }

  /**
   * Requests at a rate, on as many connections as it takes.
   *
   * @param kept whether a connection serves one request after the other
   */
  Report openLoop(double perSecond, long millis, boolean kept) {
    Run run = new Run();
    ConcurrentLinkedDeque<Connection> free = new ConcurrentLinkedDeque<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long count = Math.round(perSecond * millis / 1000);
      for (long i = 0; i < count; i++) {
        long due = run.start + Math.round(i * 1e9 / perSecond);
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        threads.execute(() -> {
          Connection connection = run.ask(kept ? free.poll() : null, due);
          if (kept && connection != null) {
            free.push(connection);
          } else {
            close(connection);
          }
        });
      }
    }
    free.forEach(Callers::close);
    return run.report();
  }

  private static void close(@Nullable Connection connection) {
    if (connection != null) {
      connection.close();
    }
  }

  private final class Run {
    private final long start = System.nanoTime();
    private final ConcurrentLinkedQueue<Result> results = new ConcurrentLinkedQueue<>();
    private final ConcurrentMap<String, AtomicInteger> failures = new ConcurrentHashMap<>();

    /** Returns the connection if it is of further use. */
    private @Nullable Connection ask(@Nullable Connection kept, long due) {
      Connection connection = kept;
      try {
        if (connection == null) {
          connection = new Connection();
        }
        int status = connection.ask();
        results.add(new Result(status, System.nanoTime() - due));
        if (!connection.ended) {
          return connection;
        }
      } catch (IOException e) {
        failures
            .computeIfAbsent(String.valueOf(e.getMessage()), _ -> new AtomicInteger())
            .incrementAndGet();
      }
      close(connection);
      return null;
    }

    private Report report() {
      return new Report(
          (System.nanoTime() - start) / 1e9, results.toArray(new Result[0]), failures);
    }
  }

  private final class Connection {
    private final Socket socket;
    private final byte[] answer = new byte[16 << 10];
    private boolean ended;

    Connection() throws IOException {
      socket = new Socket(base.getHost(), base.getPort());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(60_000);
    }

    int ask() throws IOException {
      socket.getOutputStream().write(request);
      int length = 0;
      while (!isWhole(length)) {
        int more = socket.getInputStream().read(answer, length, answer.length - length);
        if (more < 0) {
          throw new IOException(length == 0 ? "ended" : "ended within an answer");
        }
        length += more;
      }
      String head = new String(answer, 0, Math.min(length, 600), StandardCharsets.US_ASCII);
      ended = head.contains("Connection: close");
      return Integer.parseInt(head.substring(9, 12));
    }

    /** A problem ends with its JSON; an answer of Spring's is chunked. */
    private boolean isWhole(int length) {
      if (length < 20) {
        return false;
      }
      String end = new String(answer, length - 7, 7, StandardCharsets.US_ASCII);
      return end.equals("\r\n0\r\n\r\n") || (end.endsWith("\"}") && !isChunked(length));
    }

    private boolean isChunked(int length) {
      return new String(answer, 0, Math.min(length, 600), StandardCharsets.US_ASCII)
          .contains("chunked");
    }

    void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
