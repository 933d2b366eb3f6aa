package org.keywell.loadgen.messages;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The first failure of any client or responder, if there is one. Thread-safe. */
final class Trouble {
  private final CompletableFuture<Void> first = new CompletableFuture<>();

  void report(Exception e) {
    first.completeExceptionally(e);
  }

  /**
   * Waits, unless something fails.
   *
   * @throws IOException if something has failed
   */
  void pass(Duration time) throws IOException, InterruptedException {
    await(first, time);
  }

  /**
   * Waits until this end, but not longer than a time, unless something fails.
   *
   * @throws IOException if something has failed
   */
  void pass(Duration time, CompletableFuture<Void> end) throws IOException, InterruptedException {
    await(CompletableFuture.anyOf(first, end), time);
  }

  private static void await(CompletableFuture<?> any, Duration time)
      throws IOException, InterruptedException {
    try {
      var _ = any.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // All went well.
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    }
  }
}
