package org.keywell.cli.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.LogReader;
import org.keywell.tlog.TileSource;

/**
 * Finds everything that a log says about one signature: the request's end and its key's moves.
 *
 * @param progress receives the index of each entry read
 */
public record SignatureStory(Checkpoint checkpoint, TileSource source, LongConsumer progress) {

  /**
   * Reads and verifies the log twice: the request's end names the key, whose moves came before.
   *
   * @return the entries in their order
   * @throws LogFormatException if the log is not sound
   * @throws IOException if it cannot be read
   */
  public List<LogEntry> of(String requestId) throws IOException {
    List<LogEntry> story =
        new ArrayList<>(entries(requestId, entry -> entry.isOfRequest(requestId)));
    OptionalLong key =
        story.stream().map(LogEntry::keyId).flatMapToLong(OptionalLong::stream).findFirst();
    if (key.isPresent()) {
      long id = key.getAsLong();
      story.addAll(
          entries(String.valueOf(id), entry -> entry.isOfKey(id) && !entry.isOfRequest(requestId)));
    }
    story.sort(Comparator.comparingLong(LogEntry::index));
    return story;
  }

  private List<LogEntry> entries(String text, Predicate<LogEntry> wanted) throws IOException {
    List<LogEntry> found = new ArrayList<>();
    new LogReader(
            source,
            (index, bytes) -> {
              progress.accept(index);
              if (LogEntry.mentions(bytes, text)) {
                LogEntry entry = LogEntry.parse(index, bytes);
                if (wanted.test(entry)) {
                  found.add(entry);
                }
              }
            })
        .read(checkpoint, List.of());
    return found;
  }
}
