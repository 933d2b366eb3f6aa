package org.keywell.rest.sign;

import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.keywell.json.SignResponse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import tools.jackson.databind.json.JsonMapper;

/** The parts of an answer: its header field of times, its JSON, and what meters ask of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AnswerBenchmark {

  private static final int RSA_BYTES = 256;
  private static final int CERTIFICATE_BYTES = 700;

  private final JsonMapper mapper = JsonMapper.shared();
  private final RequestTimes times = new RequestTimes(InstantSource.system(), System::nanoTime);
  private final SignResponse answer;

  public AnswerBenchmark() {
    for (Stage stage : Stage.values()) {
      times.mark(stage);
    }
    times.markAccepted();
    byte[] signature = new byte[RSA_BYTES];
    byte[] certificate = new byte[CERTIFICATE_BYTES];
    answer =
        new SignResponse(
            UUID.randomUUID(),
            signature,
            List.of(signature),
            null,
            "RSASSA-PKCS1-v1_5",
            List.of(certificate, certificate, certificate),
            true,
            SignResponse.Timestamps.of(times.reached(), null),
            1_000,
            2_000,
            null);
  }

  @Benchmark
  public String serverTiming() {
    return ServerTiming.of(times.reached(), times);
  }

  @Benchmark
  public byte[] json() {
    return mapper.writeValueAsBytes(answer);
  }

  /** As the meters of stages do for each request. */
  @Benchmark
  public long tookNanos() {
    long sum = 0;
    for (Stage stage : Stage.values()) {
      sum += times.tookNanos(stage).orElse(0);
    }
    return sum;
  }
}
