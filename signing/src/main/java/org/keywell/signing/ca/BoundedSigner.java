package org.keywell.signing.ca;

import java.security.PublicKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A key in a token that signs for virtual threads, such as those of handshakes. A call of the
 * module that hangs would keep their carriers, so a few other threads make the calls, with a
 * limited wait. Thread-safe.
 */
public final class BoundedSigner implements AutoCloseable {

  /** Enough for a token; of handshakes, few are in progress. */
  private static final int THREADS = 4;

  private static final int WAITING = 100;

  /** Longer than a signature takes while the token is busy; clients try again. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(2);

  private final TokenSigner signer;
  private final Duration maxWait;
  private final ThreadPoolExecutor threads;

  /**
   * @param threadName of its threads, without their number
   */
  BoundedSigner(TokenSigner signer, String threadName) {
    this(signer, threadName, MAX_WAIT);
  }

  BoundedSigner(TokenSigner signer, String threadName, Duration maxWait) {
    this.signer = signer;
    this.maxWait = maxWait;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name(threadName + "-", 1).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  public PublicKey publicKey() {
    return signer.publicKey();
  }

  /**
   * Returns a verified signature over SHA-256 of the message, as RFC 3279 encodes it; empty if the
   * token does not make it in time.
   */
  public Optional<byte[]> sign(byte[] message) {
    try {
      Future<Optional<byte[]>> answer = threads.submit(() -> signer.sign().apply(message));
      try {
        return answer.get(maxWait.toNanos(), TimeUnit.NANOSECONDS);
      } finally {
        // It has no effect on an answer, or on a call in progress.
        boolean _ = answer.cancel(false);
      }
    } catch (RejectedExecutionException | TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a call ends with an answer", e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
