package org.keywell.keypool.mark;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What an instance keeps in a token. As text: one line for the run, and one for each kind of key,
 * fields separated by tabs.
 *
 * @param run changes with each start and each orderly stop
 * @param running false after an orderly stop
 * @param writes how often the instance has written it: the last of two has more
 * @param places of each kind of key, the last one that may have been claimed
 */
record Mark(UUID run, boolean running, long writes, Map<Kind, Long> places) {

  private static final String VERSION = "keywell-mark 1";
  private static final String RUNNING = "running";
  private static final String ENDED = "ended";

  /** Keys of one sort under one wrapping key. */
  record Kind(String keySpec, String wrappingKeyId) {}

  Mark {
    places = Map.copyOf(places);
  }

  /** Returns the later place of each kind. */
  static Map<Kind, Long> later(Map<Kind, Long> one, Map<Kind, Long> other) {
    Map<Kind, Long> later = new HashMap<>(one);
    other.forEach((kind, place) -> later.merge(kind, place, Math::max));
    return later;
  }

  byte[] encode() {
    StringBuilder text =
        new StringBuilder(
            String.join(
                "\t", VERSION, run.toString(), running ? RUNNING : ENDED, Long.toString(writes)));
    places.forEach((kind, place) ->
        text.append('\n')
            .append(String.join("\t", kind.keySpec(), kind.wrappingKeyId(), Long.toString(place))));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the mark; empty if it is none, such as one that a crash cut short. */
  static Optional<Mark> decode(byte[] value) {
    String[] lines = new String(value, StandardCharsets.UTF_8).split("\n", -1);
    String[] head = lines[0].split("\t", -1);
    if (head.length != 4 || !head[0].equals(VERSION)) {
      return Optional.empty();
    }
    try {
      Map<Kind, Long> places = new HashMap<>();
      for (int i = 1; i < lines.length; i++) {
        String[] fields = lines[i].split("\t", -1);
        places.put(new Kind(fields[0], fields[1]), Long.parseLong(fields[2]));
      }
      long writes = Long.parseLong(head[3]);
      return Optional.of(
          new Mark(UUID.fromString(head[1]), head[2].equals(RUNNING), writes, places));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
