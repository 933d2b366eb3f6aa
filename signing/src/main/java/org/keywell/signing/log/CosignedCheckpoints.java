package org.keywell.signing.log;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.LogProperties;
import org.keywell.settings.WitnessProperties;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.SignedNote;

/**
 * Chooses the checkpoint that is served, by what the configured witnesses have cosigned. Their
 * signatures are verified here again: the database is not trusted with them. Thread-safe.
 */
final class CosignedCheckpoints {

  private final CosignedTables tables;
  private final List<NoteKey> witnesses;
  private final int quorum;

  /** A checkpoint with its cosignatures; at least one of them is a configured witness's. */
  record Seen(long size, SignedNote note) {}

  CosignedCheckpoints(CosignedTables tables, LogProperties properties) {
    this.tables = tables;
    this.witnesses = properties.witnesses().stream().map(WitnessProperties::verifier).toList();
    this.quorum = properties.witnessQuorum();
  }

  /** Returns the newest checkpoint, with what witnesses have cosigned of exactly this one. */
  Optional<SignedNote> newest(LogTables.Head head) {
    byte @Nullable [] checkpoint = head.checkpoint();
    if (checkpoint == null) {
      return Optional.empty();
    }
    SignedNote note = SignedNote.parse(checkpoint);
    return Optional.of(
        all().stream()
            .filter(each -> each.size() == head.checkpointSize())
            .flatMap(each -> seen(each, 1).stream())
            .map(Seen::note)
            .filter(each -> each.text().equals(note.text()))
            .findFirst()
            .orElse(note));
  }

  /**
   * Returns the newest checkpoint that enough witnesses have cosigned: the quorum, at least one.
   */
  Optional<Seen> witnessed() {
    return all().stream().flatMap(each -> seen(each, Math.max(1, quorum)).stream()).findFirst();
  }

  /**
   * Returns the checkpoint for the proof of an entry. With a quorum, it is the newest that has it;
   * without, the one that most witnesses have cosigned, or else the newest.
   *
   * @return empty if there is none that has the entry
   */
  Optional<SignedNote> covering(long index, LogTables.Head head) {
    Stream<CosignedTables.Cosigned> covering =
        all().stream().filter(each -> each.size() > index && each.size() <= head.size());
    if (quorum > 0) {
      return covering.flatMap(each -> seen(each, quorum).stream()).map(Seen::note).findFirst();
    }
    return covering
        .sorted(Comparator.comparingInt(CosignedTables.Cosigned::cosignatures).reversed())
        .flatMap(each -> seen(each, 1).stream())
        .map(Seen::note)
        .findFirst()
        .or(() -> newest(head).filter(_ -> head.checkpointSize() > index));
  }

  private Collection<CosignedTables.Cosigned> all() {
    return witnesses.isEmpty() ? List.of() : tables.checkpoints();
  }

  /** Returns it if at least so many of the witnesses have cosigned it. */
  private Optional<Seen> seen(CosignedTables.Cosigned cosigned, int least) {
    try {
      SignedNote note = SignedNote.parse(cosigned.checkpoint());
      return note.signedBy(witnesses).size() < least
          ? Optional.empty()
          : Optional.of(new Seen(cosigned.size(), note));
    } catch (LogFormatException e) {
      // Somebody has changed the row: it does not count.
      return Optional.empty();
    }
  }
}
