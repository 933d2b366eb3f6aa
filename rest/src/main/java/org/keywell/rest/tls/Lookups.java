package org.keywell.rest.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.keywell.rest.tls.Finding.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries to responders, which may hang: on separate threads, one per certificate at a time, and
 * with a limited wait. Thread-safe.
 */
public final class Lookups implements AutoCloseable {

  private static final int THREADS = 4;
  private static final int WAITING = 1_000;

  private static final Logger log = LoggerFactory.getLogger(Lookups.class);

  private final Duration limit;
  private final ThreadPoolExecutor threads;
  private final Map<X509Certificate, Pending> pending = new ConcurrentHashMap<>();

  /**
   * @param limit how long to wait for a query
   */
  public Lookups(Duration limit) {
    this.limit = limit;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("keywell-ocsp-", 1).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /** A query that this request or an earlier one started. */
  final class Pending {
    private final long sinceNanos = System.nanoTime();
    private final CompletableFuture<Finding> answer = new CompletableFuture<>();

    /** Returns the answer, or unknown once the limit since the query's start has passed. */
    Finding await() {
      long left = limit.toNanos() - (System.nanoTime() - sinceNanos);
      try {
        return answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return unknown("no answer within keywell.security.revocation.time-limit");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return unknown("interrupted");
      } catch (ExecutionException e) {
        throw new IllegalStateException("a question ends with a finding", e);
      }
    }
  }

  /** Starts a query unless one is in progress for the certificate. */
  Pending start(X509Certificate certificate, Supplier<Finding> question) {
    Pending mine = new Pending();
    Pending other = pending.putIfAbsent(certificate, mine);
    if (other != null) {
      return other;
    }
    try {
      threads.execute(() -> answer(certificate, mine, question));
    } catch (RejectedExecutionException e) {
      pending.remove(certificate);
      mine.answer.complete(unknown(WAITING + " lookups are waiting, or the service is stopping"));
    }
    return mine;
  }

  private void answer(X509Certificate certificate, Pending mine, Supplier<Finding> question) {
    Finding finding = unknown("the lookup failed");
    try {
      finding = question.get();
    } catch (RuntimeException e) {
      log.error("whether a certificate is revoked could not be found out", e);
    } finally {
      pending.remove(certificate);
      mine.answer.complete(finding);
    }
  }

  private static Finding unknown(String reason) {
    return Finding.of(Status.UNKNOWN, reason);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
