package org.keywell.signing.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.database.DatabaseException;

/**
 * Commits entries that stand for themselves, such as those of time stamps: those that wait together
 * by one statement. Thread-safe.
 */
public final class LogCommitter {

  private static final int MOST_TOGETHER = 200;
  private static final Duration IDLE = Duration.ofHours(1);
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  private record Waiting(LogEntry entry, CompletableFuture<Boolean> committed) {}

  private final DataSource dataSource;
  private final LogWriter writer;
  private final BlockingQueue<Waiting> waiting;
  private final Worker worker;

  /**
   * @param most that wait at the same time
   */
  public LogCommitter(DataSource dataSource, LogWriter writer, int most) {
    this.dataSource = dataSource;
    this.writer = writer;
    this.waiting = new ArrayBlockingQueue<>(most);
    this.worker = new Worker("keywell-log-commits", this::commitWaiting);
  }

  public void start() {
    worker.start();
  }

  /** Returns whether the thread has ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /**
   * Returns once the entry is committed; at once if no log is kept.
   *
   * @throws DatabaseException if it is not, or not in time
   */
  public void add(LogEntry entry) throws InterruptedException {
    if (!writer.isOn()) {
      return;
    }
    Waiting own = new Waiting(entry, new CompletableFuture<>());
    if (!waiting.offer(own)) {
      throw new DatabaseException("the log does not keep up", new TimeoutException());
    }
    worker.wake();
    try {
      boolean _ = own.committed().get(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new DatabaseException("an entry is not in the log: " + e.getMessage(), e);
    }
  }

  private Duration commitWaiting() {
    List<Waiting> all = new ArrayList<>();
    waiting.drainTo(all, MOST_TOGETHER);
    if (all.isEmpty()) {
      return IDLE;
    }
    try (Connection connection = dataSource.getConnection()) {
      writer.committed(writer.add(connection, all.stream().map(Waiting::entry).toList()));
      all.forEach(each -> each.committed().complete(true));
    } catch (SQLException | RuntimeException e) {
      all.forEach(each -> each.committed().completeExceptionally(e));
    }
    return waiting.isEmpty() ? IDLE : Duration.ZERO;
  }
}
