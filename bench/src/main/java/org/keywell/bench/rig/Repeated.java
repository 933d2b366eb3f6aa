package org.keywell.bench.rig;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Asks a service the same question repeatedly while a load runs, and keeps the answers. */
public final class Repeated<T> implements AutoCloseable {
  /** One request for an answer. */
  public interface Question<T> {
    T ask() throws IOException, InterruptedException;
  }

  private final FutureTask<List<T>> asking;
  private final CountDownLatch ended = new CountDownLatch(1);

  private Repeated(Duration pause, Question<T> question) {
    this.asking = new FutureTask<>(() -> answers(pause, question));
  }

  /** Asks at once, then after each pause, until the end. */
  public static <T> Repeated<T> start(Duration pause, Question<T> question) {
    Repeated<T> started = new Repeated<>(pause, question);
    var _ = Thread.ofVirtual().name("repeated-question").start(started.asking);
    return started;
  }

  private List<T> answers(Duration pause, Question<T> question)
      throws IOException, InterruptedException {
    List<T> answers = new ArrayList<>();
    do {
      answers.add(question.ask());
    } while (!ended.await(pause.toNanos(), TimeUnit.NANOSECONDS));
    return answers;
  }

  /**
   * Stops asking and returns all answers, at least one.
   *
   * @throws IOException if a question was not answered
   */
  public List<T> end() throws IOException, InterruptedException {
    ended.countDown();
    try {
      return asking.get();
    } catch (ExecutionException e) {
      throw new IOException("the service did not answer during the load: " + e.getCause(), e);
    }
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
