package org.keywell.acceptance.chaos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.SignBody;
import org.keywell.keypool.hsm.KeySpec;

/**
 * Asks for one signature after the other, of whichever instance listens. What gets no answer, or
 * one that is not final, is asked again under the same id, of any instance, until it is.
 */
final class FleetCaller implements Runnable {

  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final int PAUSE_MILLIS = 40;

  /** What an id is answered with that has no outcome yet, or none that can be read now. */
  private static final Set<String> OPEN =
      Set.of("request-unknown", "request-in-progress", "record-unavailable");

  private final Fleet fleet;
  private final KeySpec spec;
  private final RandomGenerator random;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<UUID, HttpApi.Answer> answers = new ConcurrentHashMap<>();
  private volatile boolean stopped;
  private int repeated;

  FleetCaller(Fleet fleet, KeySpec spec, RandomGenerator random) {
    this.fleet = fleet;
    this.spec = spec;
    this.random = random;
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        UUID id = UUID.randomUUID();
        answers.put(id, insist(id));
        Thread.sleep(random.nextInt(PAUSE_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private HttpApi.Answer insist(UUID id) throws IOException, InterruptedException {
    SignBody body = SignBody.of(id.toString()).requestId(id).keySpec(spec);
    long began = System.nanoTime();
    for (int attempt = 0; System.nanoTime() - began < LONGEST.toNanos(); attempt++) {
      List<URI> listening = fleet.listening();
      if (!listening.isEmpty()) {
        repeated += attempt > 0 ? 1 : 0;
        HttpApi http = new HttpApi(client, listening.get(random.nextInt(listening.size())));
        try {
          HttpApi.Answer answer = http.sign(body);
          if (answer.status() == 200) {
            return answer;
          }
          HttpApi.Answer onRecord = http.result(id);
          if (!OPEN.contains(onRecord.problem())) {
            return onRecord;
          }
        } catch (IOException e) {
          // Killed meanwhile; whether the request arrived, only asking again tells.
        }
      }
      Thread.sleep(20 + random.nextInt(100));
    }
    throw new AssertionError("no final answer within " + LONGEST + ": " + id);
  }

  void stop() {
    stopped = true;
  }

  Map<UUID, HttpApi.Answer> answers() {
    return answers;
  }

  int repeated() {
    return repeated;
  }
}
