package org.keywell.acceptance.running;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.bouncycastle.asn1.cmp.PKIStatus;
import org.bouncycastle.tsp.TSPException;
import org.bouncycastle.tsp.TimeStampResponse;
import org.jspecify.annotations.Nullable;

/**
 * Callers that ask for one time stamp after the other, and compare its time with this machine's
 * clock before and after. Thread-safe.
 */
public final class StampCallers implements AutoCloseable {

  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpRequest request;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean ended;
  private int granted;
  private int rejected;
  private int cut;
  private Duration worst = Duration.ZERO;

  /**
   * Starts them.
   *
   * @param query a {@code TimeStampReq}, DER
   */
  public StampCallers(URI authority, byte[] query, int number) {
    this.request =
        HttpRequest.newBuilder(authority)
            .header("Content-Type", "application/timestamp-query")
            .timeout(Duration.ofSeconds(30))
            .POST(HttpRequest.BodyPublishers.ofByteArray(query))
            .build();
    for (int i = 0; i < number; i++) {
      var _ = callers.submit(this::call);
    }
  }

  private void call() {
    try {
      while (!ended) {
        ask();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | TSPException | RuntimeException e) {
      failure.set(e);
    }
  }

  private void ask() throws IOException, InterruptedException, TSPException {
    Instant before = Instant.now();
    HttpResponse<byte[]> answer;
    try {
      answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (ConnectException e) {
      throw e;
    } catch (IOException e) {
      countCut();
      return;
    }
    Instant after = Instant.now();
    if (answer.statusCode() != 200) {
      throw new IOException("status " + answer.statusCode());
    }
    TimeStampResponse stamp = new TimeStampResponse(answer.body());
    if (stamp.getStatus() == PKIStatus.GRANTED) {
      Instant at = stamp.getTimeStampToken().getTimeStampInfo().getGenTime().toInstant();
      countGranted(
          at.isBefore(before) ? Duration.between(at, before) : Duration.between(after, at));
    } else {
      countRejected();
      Thread.sleep(10);
    }
  }

  private synchronized void countGranted(Duration wrongBy) {
    granted++;
    if (wrongBy.compareTo(worst) > 0) {
      worst = wrongBy;
    }
  }

  private synchronized void countRejected() {
    rejected++;
  }

  private synchronized void countCut() {
    cut++;
  }

  /**
   * How many requests met a connection that the service had closed: the web server's limit for idle
   * ones goes by the calendar.
   */
  public synchronized int cut() {
    return cut;
  }

  /** How many time stamps were made. */
  public synchronized int granted() {
    return granted;
  }

  /** How many requests were rejected. */
  public synchronized int rejected() {
    return rejected;
  }

  /** By how much the time of the worst lies outside of the time between request and answer. */
  public synchronized Duration worst() {
    return worst;
  }

  /** Ends them, within the time limit of a request. */
  @Override
  public void close() {
    ended = true;
    callers.close();
    client.close();
    Throwable failed = failure.get();
    if (failed != null) {
      throw new AssertionError("a caller of time stamps failed", failed);
    }
  }
}
