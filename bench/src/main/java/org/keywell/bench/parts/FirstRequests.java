package org.keywell.bench.parts;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the first caller sees: it retries until the service listens, then requests one signature
 * after the other.
 *
 * @param untilFirstMillis from the start of the service's process to its first signature
 * @param millis of each request, in order, including the first
 */
record FirstRequests(double untilFirstMillis, List<Double> millis) {
  private static final Duration ASK_AGAIN = Duration.ofMillis(5);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int OK = 200;
  private static final String BODY =
      """
      {"digestAlgorithm":"SHA-256","digest":"n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",\
      "signer":{"commonName":"Keywell Bench"},"deadlineMillis":60000}\
      """;

  FirstRequests {
    millis = List.copyOf(millis);
  }

  /**
   * Sends the requests.
   *
   * @param launchedNanos when the service's process was started
   * @param requests how many signatures, at least 1
   * @param within how long the start may take
   * @throws IOException if nobody listens in time, or a request is not signed
   */
  static FirstRequests of(URI service, long launchedNanos, int requests, Duration within)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.resolve("/sign"))
            .timeout(ANSWER_WITHIN)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(BODY))
            .build();
    List<Double> millis = new ArrayList<>();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      millis.add(firstOnceUp(client, request, launchedNanos + within.toNanos()));
      double untilFirst = (System.nanoTime() - launchedNanos) / NANOS_PER_MILLI;
      for (int i = 1; i < requests; i++) {
        millis.add(one(client, request));
      }
      return new FirstRequests(untilFirst, millis);
    }
  }

  private static double firstOnceUp(HttpClient client, HttpRequest request, long untilNanos)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return one(client, request);
      } catch (ConnectException e) {
        if (System.nanoTime() - untilNanos > 0) {
          throw new IOException("nobody listens at " + request.uri(), e);
        }
        Thread.sleep(ASK_AGAIN);
      }
    }
  }

  private static double one(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    double millis = (System.nanoTime() - began) / NANOS_PER_MILLI;
    if (answer.statusCode() != OK) {
      throw new IOException("not signed: " + answer.statusCode() + " " + answer.body());
    }
    return millis;
  }

  /** Returns the percentile by nearest rank: of 100 requests, all but one meet the 99th. */
  double percentile(int percent) {
    List<Double> sorted = millis.stream().sorted().toList();
    return sorted.get(Math.ceilDiv(percent * sorted.size(), 100) - 1);
  }
}
