package org.keywell.keypool.mark;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.mark.Mark.Kind;
import org.keywell.keypool.store.PoolMarks;

/** What the marks in a token say about the keys in the database. For one thread. */
public final class Comparison {

  private final String device;
  private final List<String> wrappingKeyIds;

  /** The last place, by kind, that may have been claimed since the database was as it is. */
  private final Map<Kind, Long> doubtful = new HashMap<>();

  private final Map<String, Long> counts = new TreeMap<>();
  private boolean older;

  /**
   * @param wrappingKeyIds those of the device: it opens no keys under others
   */
  Comparison(String device, List<String> wrappingKeyIds) {
    this.device = device;
    this.wrappingKeyIds = List.copyOf(wrappingKeyIds);
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
    for (String id : wrappingKeyIds) {
      Stream.of(KeySpec.values())
          .forEach(spec -> doubtful.put(new Kind(spec.label(), id), Long.MAX_VALUE));
    }
  }

  private void add(Mark mark) {
    mark.places()
        .forEach((kind, place) -> {
          if (wrappingKeyIds.contains(kind.wrappingKeyId())) {
            doubtful.merge(kind, place, Math::max);
          }
        });
  }

  void count(PoolMarks store) {
    doubtful.forEach((kind, place) -> {
      long keys = store.count(kind.keySpec(), kind.wrappingKeyId(), place);
      if (keys > 0) {
        counts.merge(kind.keySpec(), keys, Long::sum);
      }
    });
  }

  long discard(PoolMarks store) {
    long keys = 0;
    for (String id : wrappingKeyIds) {
      for (KeySpec spec : KeySpec.values()) {
        Long place = doubtful.get(new Kind(spec.label(), id));
        if (place != null) {
          keys += store.discard(spec, id, place);
        }
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
