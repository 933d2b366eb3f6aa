package org.keywell.rest.ca;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.http.Door;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;

/**
 * The door of the port that everyone may use: it lets in nothing but lists and OCSP requests, by
 * their addresses letter by letter, and not too many a second. Thread-safe.
 */
public final class PublicationDoor implements Door {

  private static final Set<String> METHODS = Set.of("GET", "HEAD");
  private static final Pattern LIST = Pattern.compile("/ca/crl/[0-9a-f]{40}/[0-9a-z-]{8,11}\\.crl");
  private static final Pattern RESPONDER = Pattern.compile("/ca/ocsp/[0-9a-f]{40}");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final boolean ocsp;
  private final int ratePerSecond;
  private final Bucket bucket;

  /**
   * @param ocsp whether OCSP requests are let in
   */
  public PublicationDoor(boolean ocsp, int ratePerSecond) {
    this.ocsp = ocsp;
    this.ratePerSecond = ratePerSecond;
    this.bucket =
        Bucket.builder()
            .addLimit(limit -> limit.capacity(ratePerSecond).refillGreedy(ratePerSecond, SECOND))
            .build();
  }

  @Override
  public @Nullable Problem refusal(String method, String path) {
    Set<String> methods = methods(path);
    if (methods.isEmpty()) {
      return new Problem(
          ProblemType.NOT_FOUND, "only lists of revoked certificates are published here");
    }
    if (!methods.contains(method)) {
      return new Problem(
          ProblemType.METHOD_NOT_ALLOWED, "lists can only be read, and OCSP takes GET and POST");
    }
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    return probe.isConsumed()
        ? null
        : new Problem(
            ProblemType.RATE_LIMIT,
            "keywell.ca.crl.rate-per-second is " + ratePerSecond,
            Duration.ofNanos(probe.getNanosToWaitForRefill()));
  }

  private Set<String> methods(String path) {
    if (LIST.matcher(path).matches()) {
      return METHODS;
    }
    if (ocsp && RESPONDER.matcher(path).matches()) {
      return Set.of("POST");
    }
    return ocsp && OcspAddresses.WITH_REQUEST.matcher(path).matches() ? Set.of("GET") : Set.of();
  }
}
