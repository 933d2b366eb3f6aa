package org.keywell.acceptance.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends one request over and over, on connections of its own, and counts what is answered. Knows
 * hardly any HTTP and uses one thread, so that it takes little of the machine that it shares with
 * the service.
 */
public final class Callers {

  /** Requests that are due soon after each other are sent at once: waking up costs as much. */
  private static final long TICK_MILLIS = 2;

  private static final int ANSWER_BYTES = 4 << 10;
  private static final int HEAD_BYTES = 1 << 10;
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final Pattern CONTENT_LENGTH = Pattern.compile("\r\nContent-Length: (\\d+)\r\n");
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** What came back, and after how long. A failure has no status. */
  public record Result(int status, long nanos) {}

  /**
   * A run.
   *
   * @param failures requests whose connection ended without an answer, by message
   */
  public record Report(double seconds, Result[] results, Map<String, Integer> failures) {

    public double perSecond(int status) {
      return Arrays.stream(results).filter(result -> result.status() == status).count() / seconds;
    }

    /** The latency that so many of a hundred answers with the status keep to. */
    public double percentileMillis(int status, double percent) {
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

  public Callers(URI base, String json) {
    this.base = base;
    this.request =
        ("POST /sign HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: %d\r\n\r\n%s".formatted(json.length(), json))
            .getBytes(StandardCharsets.US_ASCII);
  }

  /** So many callers, each of which asks again as soon as it is answered, whatever the answer. */
  public Report closedLoop(int callers, long millis) throws IOException {
    try (Run run = new Run(true)) {
      long end = run.start + TimeUnit.MILLISECONDS.toNanos(millis);
      for (int i = 0; i < callers; i++) {
        run.ask(run.start);
      }
      while (System.nanoTime() < end) {
        run.look();
        while (run.waiting < callers) {
          run.ask(System.nanoTime());
        }
      }
      return run.end();
    }
  }

  /**
   * Requests at a rate, on as many connections as it takes.
   *
   * @param kept whether a connection serves one request after the other
   */
  public Report openLoop(double perSecond, long millis, boolean kept) throws IOException {
    try (Run run = new Run(kept)) {
      long count = Math.round(perSecond * millis / 1000);
      for (long asked = 0; asked < count; ) {
        long due = run.start + Math.round(asked * 1e9 / perSecond);
        if (due <= System.nanoTime()) {
          run.ask(due);
          asked++;
        } else {
          run.look();
        }
      }
      return run.end();
    }
  }

  private final class Run implements AutoCloseable {
    private final boolean kept;
    private final Selector selector = Selector.open();
    private final Deque<Connection> free = new ArrayDeque<>();
    private final List<Result> results = new ArrayList<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final long start = System.nanoTime();
    private int waiting;

    Run(boolean kept) throws IOException {
      this.kept = kept;
    }

    void ask(long due) throws IOException {
      waiting++;
      Connection connection = free.poll();
      if (connection == null) {
        connection = new Connection(selector);
      }
      connection.due = due;
      attempt(connection);
    }

    /** Takes what has come. A connection that is not in use can only have been closed. */
    void look() throws IOException {
      selector.select(
          key -> {
            Connection connection = (Connection) Objects.requireNonNull(key.attachment());
            if (free.remove(connection)) {
              connection.close();
            } else {
              attempt(connection);
            }
          },
          TICK_MILLIS);
    }

    private void attempt(Connection connection) {
      try {
        int status = connection.proceed();
        if (status == 0) {
          return;
        }
        results.add(new Result(status, System.nanoTime() - connection.due));
        if (kept && !connection.isLast()) {
          free.push(connection);
        } else {
          connection.close();
        }
      } catch (IOException e) {
        failures.merge(String.valueOf(e.getMessage()), 1, Integer::sum);
        connection.close();
      }
      waiting--;
    }

    Report end() throws IOException {
      long patience = System.nanoTime() + PATIENCE_NANOS;
      while (waiting > 0 && System.nanoTime() < patience) {
        look();
      }
      if (waiting > 0) {
        failures.put("no answer within a minute", waiting);
      }
      return new Report(
          (System.nanoTime() - start) / 1e9, results.toArray(new Result[0]), failures);
    }

    @Override
    public void close() throws IOException {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    }
  }

  /** Asks for one thing at a time. */
  private final class Connection {
    private final SocketChannel channel = SocketChannel.open();
    private final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
    private final SelectionKey key;
    private boolean asked;
    private long due;

    Connection(Selector selector) throws IOException {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      key = channel.register(selector, SelectionKey.OP_CONNECT, this);
      if (channel.connect(new InetSocketAddress(base.getHost(), base.getPort()))) {
        key.interestOps(SelectionKey.OP_READ);
      }
    }

    /** Returns the status once the answer is whole, 0 before. */
    int proceed() throws IOException {
      if (!channel.isConnected()) {
        if (!channel.finishConnect()) {
          return 0;
        }
        key.interestOps(SelectionKey.OP_READ);
      }
      if (!asked) {
        answer.clear();
        if (channel.write(ByteBuffer.wrap(request)) < request.length) {
          throw new IOException("the request does not fit in the socket's buffer");
        }
        asked = true;
        return 0;
      }
      if (channel.read(answer) < 0) {
        throw new IOException(answer.position() == 0 ? "ended" : "ended within an answer");
      }
      if (!isWhole()) {
        return 0;
      }
      asked = false;
      return Integer.parseInt(text(9, 12));
    }

    /** All answers tell their length. */
    private boolean isWhole() throws IOException {
      String head = head();
      int end = head.indexOf(END_OF_HEAD);
      if (end < 0) {
        return false;
      }
      Matcher length = CONTENT_LENGTH.matcher(head);
      if (!length.find()) {
        throw new IOException("an answer without a length");
      }
      return answer.position() >= end + END_OF_HEAD.length() + Integer.parseInt(length.group(1));
    }

    boolean isLast() {
      return head().contains("Connection: close");
    }

    private String head() {
      return text(0, Math.min(answer.position(), HEAD_BYTES));
    }

    private String text(int from, int to) {
      return new String(answer.array(), from, to - from, StandardCharsets.US_ASCII);
    }

    void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
