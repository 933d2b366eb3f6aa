package org.keywell.signing.log;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.TokenData;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A checkpoint's text that a token keeps: the largest tree that any instance has shown it. Every
 * method throws {@link HsmException} if the device fails.
 *
 * @param device the name of the device that has the token
 * @param data reads the token's data objects of a name
 * @param keep has the token keep one
 */
record TokenHead(
    String device,
    Function<String, List<TokenData>> data,
    Consumer<TokenData> keep,
    String origin) {

  private static final Logger log = LoggerFactory.getLogger(TokenHead.class);

  /** Returns what it keeps; empty: nothing yet. */
  Optional<Checkpoint> read() {
    return data.apply(name()).stream()
        .flatMap(data -> parse(data).stream())
        .max(Comparator.comparingLong(Checkpoint::size));
  }

  private Optional<Checkpoint> parse(TokenData data) {
    try {
      return Optional.of(Checkpoint.parse(new String(data.value(), StandardCharsets.UTF_8)))
          .filter(checkpoint -> checkpoint.origin().equals(origin));
    } catch (LogFormatException e) {
      log.warn("device {}: '{}' is no checkpoint; ignored", device, data.name());
      return Optional.empty();
    }
  }

  /** Makes it keep a tree, unless it keeps a larger one. */
  void keep(Checkpoint checkpoint) {
    if (read().filter(kept -> kept.size() >= checkpoint.size()).isEmpty()) {
      replace(checkpoint);
    }
  }

  /** Makes it keep a tree, even one that does not continue the other. */
  void replace(Checkpoint checkpoint) {
    byte[] text = checkpoint.text().getBytes(StandardCharsets.UTF_8);
    keep.accept(new TokenData(name(), text));
  }

  /** Returns how the tree in the database contradicts it; empty if it does not. */
  Optional<String> contradiction(LogTables tables) {
    return read()
        .flatMap(seen -> {
          LogTables.Head head = tables.head();
          if (head.size() < seen.size()) {
            return Optional.of(
                "the log has %d entries, and device %s has seen %d"
                    .formatted(head.size(), device, seen.size()));
          }
          return tables.rootAt(seen.size()).equals(Optional.of(seen.root()))
              ? Optional.empty()
              : Optional.of(
                  "the first %d entries of the log are not those that device %s has seen"
                      .formatted(seen.size(), device));
        });
  }

  private String name() {
    return "keywell-log " + origin;
  }

  /** Keeps it in all tokens that can be reached. */
  static void keep(List<TokenHead> heads, Checkpoint checkpoint) {
    for (TokenHead head : heads) {
      try {
        head.keep(checkpoint);
      } catch (HsmException e) {
        log.warn("device {} does not keep the log's size: {}", head.device(), e.getMessage());
      }
    }
  }
}
