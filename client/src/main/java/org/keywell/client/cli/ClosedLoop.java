package org.keywell.client.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;
import org.keywell.client.Problem;
import org.keywell.client.SignRequest;
import org.keywell.client.SignResult;
import org.keywell.client.Signer;

/** Callers who each wait for an answer before they ask again; every request has its own digest. */
final class ClosedLoop {

  /**
   * What a run came to.
   *
   * @param latenciesNanos of the requests that were signed, ascending
   * @param elapsedNanos from the first request to the last answer
   * @param preGenerated how many keys were made ahead of time
   */
  record Result(
      long[] latenciesNanos, long elapsedNanos, int preGenerated, @Nullable String firstProblem) {

    int signed() {
      return latenciesNanos.length;
    }

    double perSecond() {
      return signed() * 1e9 / elapsedNanos;
    }

    double meanMillis() {
      return Arrays.stream(latenciesNanos).average().orElse(0) / 1e6;
    }

    /** The smallest latency that at least {@code percent} of the requests do not exceed. */
    double percentileMillis(int percent) {
      if (latenciesNanos.length == 0) {
        return 0;
      }
      int rank = (int) Math.ceil(percent / 100.0 * latenciesNanos.length);
      return latenciesNanos[Math.max(rank, 1) - 1] / 1e6;
    }
  }

  private record Answer(long nanos, SignResult result) {}

  private static final int SHA_256_BYTES = 32;

  private final KeywellClient client;
  private final @Nullable String keySpec;
  private final RandomGenerator digests;
  private final LongSupplier nanoClock;

  ClosedLoop(
      KeywellClient client,
      @Nullable String keySpec,
      RandomGenerator digests,
      LongSupplier nanoClock) {
    this.client = client;
    this.keySpec = keySpec;
    this.digests = digests;
    this.nanoClock = nanoClock;
  }

  Result run(int requests, int callers) throws IOException, InterruptedException {
    AtomicInteger left = new AtomicInteger(requests);
    Callable<List<Answer>> caller =
        () -> {
          List<Answer> answers = new ArrayList<>();
          while (left.getAndDecrement() > 0) {
            answers.add(ask());
          }
          return answers;
        };
    long start = nanoClock.getAsLong();
    List<Answer> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<List<Answer>>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        all.add(caller);
      }
      for (Future<List<Answer>> future : threads.invokeAll(all)) {
        answers.addAll(future.get());
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("a caller failed", e);
    }
    return result(answers, nanoClock.getAsLong() - start);
  }

  private Answer ask() throws IOException, InterruptedException {
    byte[] digest = new byte[SHA_256_BYTES];
    digests.nextBytes(digest);
    SignRequest request =
        new SignRequest(null, "SHA-256", digest, null, keySpec, Signer.named("Bench"), 60_000L);
    long start = nanoClock.getAsLong();
    SignResult result = client.sign(request);
    return new Answer(nanoClock.getAsLong() - start, result);
  }

  private static Result result(List<Answer> answers, long elapsedNanos) {
    List<Long> latencies = new ArrayList<>();
    int preGenerated = 0;
    String firstProblem = null;
    for (Answer answer : answers) {
      switch (answer.result()) {
        case SignResult.Signed signed -> {
          latencies.add(answer.nanos());
          preGenerated += signed.response().preGeneratedKeyPair() ? 1 : 0;
        }
        case SignResult.Refused refused -> {
          Problem problem = refused.problem();
          firstProblem = firstProblem == null ? problem.toString() : firstProblem;
        }
      }
    }
    long[] sorted = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
    return new Result(sorted, elapsedNanos, preGenerated, firstProblem);
  }
}
