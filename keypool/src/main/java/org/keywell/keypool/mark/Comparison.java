package org.keywell.keypool.mark;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.PoolMarks;

/** What the marks in a token say about the keys in the database. For one thread. */
public final class Comparison {

  private final String device;
  private final String wrappingKeyId;

  /** The last place, by kind, that may have been claimed since the database was as it is. */
  private final Map<String, Long> doubtful = new HashMap<>();

  private final Map<String, Long> counts = new TreeMap<>();
  private boolean older;

  Comparison(String device, String wrappingKeyId) {
    this.device = device;
    this.wrappingKeyId = wrappingKeyId;
  }

  /** The token was written to by a run that the database does not know. */
  void unknown(Mark mark) {
    older = true;
    add(mark);
  }

  /** The run did not end in order, and so a dump of its time might have been restored. */
  void unended(Mark mark) {
    add(mark);
  }

  /** The token has no mark, though it was given one. */
  void lost() {
    older = true;
    Stream.of(KeySpec.values()).forEach(spec -> doubtful.put(spec.label(), Long.MAX_VALUE));
  }

  private void add(Mark mark) {
    mark.places()
        .forEach((kind, place) -> {
          if (kind.wrappingKeyId().equals(wrappingKeyId)) {
            doubtful.merge(kind.keySpec(), place, Math::max);
          }
        });
  }

  void count(PoolMarks store) {
    doubtful.forEach((keySpec, place) -> {
      long keys = store.count(keySpec, wrappingKeyId, place);
      if (keys > 0) {
        counts.put(keySpec, keys);
      }
    });
  }

  long discard(PoolMarks store) {
    long keys = 0;
    for (KeySpec spec : KeySpec.values()) {
      Long place = doubtful.get(spec.label());
      if (place != null) {
        keys += store.discard(spec, wrappingKeyId, place);
      }
    }
    return keys;
  }

  /**
   * Returns why stored keys may have been used already, for operators; empty if none may, apart
   * from those that an interrupted run was about to claim.
   */
  public Optional<String> contradiction() {
    return older && !counts.isEmpty()
        ? Optional.of(
            "device %s has a mark that the database does not know, so that stored keys may have signed (%s)"
                .formatted(device, keys()))
        : Optional.empty();
  }

  /** Returns the keys in doubt by kind, such as {@code RSA-2048: 7}. */
  public String keys() {
    return counts.entrySet().stream()
        .map(count -> count.getKey() + ": " + count.getValue())
        .collect(Collectors.joining(", "));
  }
}
