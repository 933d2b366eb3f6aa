package org.keywell.acceptance.tamper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.EntryBundle;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.TileHashes;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TileSource;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.Tree;

/** A proof that a caller keeps with its document, compared with what the log is later. */
record KeptProof(TlogProof proof) {

  /**
   * Whether the log contradicts it: another entry has its place, or the tree that its checkpoint
   * signed is no part of the log any more.
   *
   * @param now the size of the log
   */
  boolean isContradicted(TileSource log, long now) throws IOException {
    Checkpoint then = Checkpoint.parse(proof.checkpoint().text());
    try {
      return then.size() > now
          || !new Tree(then.size(), new TileHashes(now, log)).root().equals(then.root())
          || !hasEntry(log, now);
    } catch (LogFormatException e) {
      return true;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private boolean hasEntry(TileSource log, long now) throws IOException {
    long bundle = proof.index() / TileId.FULL;
    int width = (int) Math.min(TileId.FULL, now - bundle * TileId.FULL);
    Optional<byte[]> found = log.read(TileId.ofEntries(bundle, width));
    List<byte[]> entries = found.map(EntryBundle::decode).orElse(List.of());
    int at = (int) (proof.index() % TileId.FULL);
    return at < entries.size() && Arrays.equals(entries.get(at), proof.extra());
  }
}
