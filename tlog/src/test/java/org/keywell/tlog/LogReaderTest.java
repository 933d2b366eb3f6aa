package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogReaderTest {

  private static final int SIZE = 66_000;

  @TempDir private Path directory;

  private WrittenLog log;
  private Checkpoint first;
  private Checkpoint second;
  private Checkpoint last;
  private final List<String> received = new ArrayList<>();

  @BeforeEach
  void write() throws Exception {
    log = new WrittenLog(directory);
    first = log.growTo(300);
    second = log.growTo(65_536);
    last = log.growTo(SIZE);
  }

  private void read(Checkpoint checkpoint, Checkpoint... earlier) throws Exception {
    received.clear();
    new LogReader(
            new DirectoryTiles(directory),
            (index, entry) -> received.add(index + "=" + new String(entry, StandardCharsets.UTF_8)))
        .read(checkpoint, List.of(earlier));
  }

  private void refused(String why, Checkpoint checkpoint, Checkpoint... earlier) {
    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> read(checkpoint, earlier))
        .withMessageContaining(why);
  }

  @Test
  void readsEachEntryInItsOrder() throws Exception {
    read(last, second, first, Checkpoint.ofEmptyTree(WrittenLog.ORIGIN), last);

    assertThat(received).hasSize(SIZE).startsWith("0=entry 0").endsWith("65999=entry 65999");
    assertThat(received.get(65_536)).isEqualTo("65536=entry 65536");
  }

  @Test
  void readsAnEarlierTreeWhosePartialTilesAreGone() throws Exception {
    log.delete(TileId.ofHashes(0, 1, 44));
    log.delete(TileId.ofEntries(1, 44));
    log.delete(TileId.ofHashes(1, 0, 1));

    read(first);

    assertThat(received).hasSize(300);
  }

  @Test
  void findsAnAlteredEntry() throws Exception {
    log.spoil(TileId.ofEntries(100, TileId.FULL), 10);

    refused("entry 25600 does not have the hash in tile/0/100", last);
    assertThat(received).hasSize(25_600);
  }

  @Test
  void findsAnAlteredLeaf() throws Exception {
    log.spoil(TileId.ofHashes(0, 100, TileId.FULL), 32);

    refused("entry 25601 does not have the hash in tile/0/100", last);
  }

  @Test
  void findsAnAlteredTileAbove() throws Exception {
    log.spoil(TileId.ofHashes(1, 0, TileId.FULL), 32);

    refused("tile/1/000 is not made of the tiles below", last);
  }

  @Test
  void findsAnAlteredPartialTile() throws Exception {
    log.spoil(TileId.ofHashes(2, 0, 1), 5);

    refused("tile/2/000.p/1 is not made of the tiles below", last);
  }

  /** Entry and tiles fit each other, but not what was signed. */
  @Test
  void findsAHistoryThatWasRewritten() throws Exception {
    Checkpoint other = new Checkpoint(WrittenLog.ORIGIN, SIZE, first.root());
    refused("the first 66000 entries have the root", other);

    Checkpoint within = new Checkpoint(WrittenLog.ORIGIN, 1_000, first.root());
    refused("the first 1000 entries have the root", last, second, within);
  }

  @Test
  void findsWhatIsMissing() throws Exception {
    log.delete(TileId.ofEntries(2, TileId.FULL));
    refused("the log has no tile/entries/002", last);

    log.write(TileId.ofEntries(2, TileId.FULL), EntryBundle.encode(List.of(WrittenLog.entry(512))));
    refused("tile/entries/002 has 1 entries", last);
  }

  @Test
  void refusesCheckpointsThatAreNotEarlier() {
    refused("is not earlier than", first, second);
    refused("is not earlier than", last, new Checkpoint("other.example", 300, first.root()));
  }
}
