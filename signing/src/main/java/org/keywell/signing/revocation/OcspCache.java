package org.keywell.signing.revocation;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.keywell.ca.ocsp.OcspAnswer.Answered;

/** Answers for those who ask the same soon after. Thread-safe. */
final class OcspCache {

  /** Of about 1 KiB each. Certificates are asked about when their document is new. */
  private static final int MOST = 10_000;

  private final Duration limit;
  private final Map<String, Answered> byQuestion =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Answered> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param limit how old an answer may be, so that a revocation is known after that
   */
  OcspCache(Duration limit) {
    this.limit = limit;
  }

  synchronized Optional<Answered> find(String question, Instant now) {
    return Optional.ofNullable(byQuestion.get(question))
        .filter(answer -> now.isBefore(answer.thisUpdate().plus(limit)))
        .filter(answer -> !now.isBefore(answer.thisUpdate()));
  }

  synchronized void add(String question, Answered answer) {
    byQuestion.put(question, answer);
  }
}
