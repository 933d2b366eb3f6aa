package org.keywell.bench.parts;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.keywell.bench.rig.BenchService;

/** How long proofs of single requests take, one after the other. */
final class ProofTimes {
  private static final int PROOFS = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private ProofTimes() {}

  /**
   * Fetches proofs of requests from all over the log.
   *
   * @param entries how many synthetic ones it has
   * @throws IOException if one is refused
   */
  static OneByOne measure(BenchService service, int entries)
      throws IOException, InterruptedException {
    Random random = new Random(entries);
    List<Long> nanos = new ArrayList<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      long began = System.nanoTime();
      for (int i = 0; i < PROOFS; i++) {
        UUID requestId = service.loggedRequest(1 + random.nextInt(entries));
        HttpRequest request =
            HttpRequest.newBuilder(service.url().resolve("/log/proof/" + requestId))
                .timeout(TIMEOUT)
                .build();
        long sent = System.nanoTime();
        HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        nanos.add(System.nanoTime() - sent);
        if (answer.statusCode() != 200) {
          throw new IOException(request.uri() + " answered " + answer.statusCode());
        }
      }
      return OneByOne.of(nanos, System.nanoTime() - began);
    }
  }
}
