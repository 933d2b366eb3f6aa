package org.keywell.signing.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.ConfigurationDigest;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.ca.TokenSigner;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.hsm.OpenDevice;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TileHashes;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.Tree;
import org.keywell.tlog.TreeHash;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of what happens to requests and keys: one for all instances that share the database. Kept
 * if {@code keywell.log.origin} names it. Thread-safe.
 */
public final class SigningLog {

  private static final Logger log = LoggerFactory.getLogger(SigningLog.class);

  private final LogTables tables;
  private final LogTables reads;
  private final CosignedCheckpoints checkpoints;
  private final LogWriter writer;
  private final LogNotes notes;
  private final KeywellProperties properties;
  private final String version;

  private final List<NoteKey> tokenKeys = new CopyOnWriteArrayList<>();

  /** Null: there is no log. */
  private final @Nullable Sequencer sequencer;

  /**
   * @param reads the same tables, for callers
   * @param checkpoints what callers get
   * @param notes wait until the log tells of the start
   * @param version of this program
   * @throws StartRefusedException if the database keeps a log of another name, or keeps one and the
   *     settings name none
   */
  SigningLog(
      LogTables tables,
      LogTables reads,
      CosignedCheckpoints checkpoints,
      LogWriter writer,
      LogNotes notes,
      KeywellProperties properties,
      String version,
      LongSupplier nanoClock) {
    this.tables = tables;
    this.reads = reads;
    this.checkpoints = checkpoints;
    this.writer = writer;
    this.notes = notes;
    this.properties = properties;
    this.version = version;
    String origin = properties.log().origin();
    if (origin != null) {
      tables.begin(origin);
    }
    Optional<String> kept = tables.origin();
    if (!kept.equals(Optional.ofNullable(origin))) {
      throw new StartRefusedException(
          "the database keeps the log '%s': set keywell.log.origin to this, not '%s'"
              .formatted(kept.orElse(""), Objects.requireNonNullElse(origin, "")));
    }
    this.sequencer =
        origin == null ? null : new Sequencer(tables, origin, writer.leaves(), nanoClock);
  }

  public boolean isKept() {
    return sequencer != null;
  }

  /** Adds the keys of a device that signs. */
  public void add(OpenDevice device, List<TokenSigner> keys) {
    String origin = properties.log().origin();
    if (sequencer == null || origin == null) {
      return;
    }
    keys.forEach(key -> {
      tokenKeys.add(NoteKey.of(origin, key.publicKey()));
      sequencer.add(signer(origin, key));
    });
    sequencer.add(new TokenHead(device.name(), device::data, device::keepData, origin));
  }

  private static CheckpointSigner signer(String origin, TokenSigner key) {
    NoteKey verifier = NoteKey.of(origin, key.publicKey());
    return new CheckpointSigner(
        verifier,
        text ->
            key.sign()
                .apply(text.getBytes(StandardCharsets.UTF_8))
                .map(bytes -> new NoteSignature(verifier.name(), verifier.id(), bytes)));
  }

  /** Returns the keys of the devices that were added; empty if there is no log. */
  public List<NoteKey> tokenKeys() {
    return List.copyOf(tokenKeys);
  }

  /** Returns how the log in the database contradicts what the tokens have seen, for operators. */
  public List<String> contradictions() {
    return sequencer == null ? List.of() : sequencer.contradictions();
  }

  /**
   * To be called before anything else of this run is committed.
   *
   * @param accepted contradictions of a restored database that an operator accepts
   */
  public void start(List<String> accepted) {
    if (sequencer == null) {
      return;
    }
    sequencer.start(!accepted.isEmpty());
    for (String contradiction : accepted) {
      tables.tell(writer, event("restored").text("found", contradiction));
    }
    tables.tell(
        writer,
        event("start")
            .text("version", version)
            .hex("configuration", ConfigurationDigest.of(properties)));
    notes.open(tables);
  }

  /**
   * Ends after a last look; what still waits is taken by another instance, or after the next start.
   *
   * @return whether the thread has ended in time
   */
  public boolean end(Duration limit) {
    if (sequencer == null) {
      return true;
    }
    try {
      tables.tell(writer, event("stop"));
    } catch (DatabaseException e) {
      log.warn("the stop is not in the log: {}", e.getMessage());
    }
    return sequencer.end(limit);
  }

  private LogEntry event(String type) {
    return LogEntry.of(type).text("instance", properties.instance()).time("at", Instant.now());
  }

  /** Returns how the stored log contradicts what it was before; empty as long as it does not. */
  public Optional<String> damage() {
    return sequencer == null ? Optional.empty() : sequencer.damage();
  }

  /** Returns how many entries of this run were committed, and have gone before they had a place. */
  public long missing() {
    return sequencer == null ? 0 : sequencer.missing();
  }

  /** Returns how many entries no checkpoint has yet, as far as known. */
  public long unsigned() {
    return sequencer == null ? 0 : sequencer.unsigned();
  }

  /** Whether its thread has ended unexpectedly. */
  public boolean isBroken() {
    return sequencer != null && sequencer.isBroken();
  }

  /** Returns the latest checkpoint, a signed note; empty before the first. */
  public Optional<byte[]> checkpoint() {
    return checkpoints.newest(reads.head()).map(SignedNote::bytes);
  }

  /** Returns the latest checkpoint that enough witnesses have cosigned; empty before the first. */
  public Optional<byte[]> witnessedCheckpoint() {
    return checkpoints.witnessed().map(seen -> seen.note().bytes());
  }

  /** Returns all keys that have ever signed its checkpoints, as text (C2SP signed-note). */
  public List<String> keys() {
    return reads.keys();
  }

  /** Returns a tile or a bundle; empty if the tree does not have it yet. */
  public Optional<byte[]> tile(TileId tile) {
    try {
      return reads.tiles().read(tile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the proof that a request's end is in the log; empty if no checkpoint has it yet. */
  public Optional<TlogProof> proof(UUID requestId) {
    return reads.ofRequest(requestId).flatMap(this::proof);
  }

  /**
   * Returns the index of the entry about a request's end; empty if no checkpoint has it yet, or no
   * log is kept.
   *
   * @throws DatabaseException if the database fails
   */
  public Optional<Long> index(UUID requestId) {
    return isKept() ? reads.ofRequest(requestId).map(LogTables.Placed::index) : Optional.empty();
  }

  private Optional<TlogProof> proof(LogTables.Placed placed) {
    return checkpoints
        .covering(placed.index(), reads.head())
        .map(checkpoint -> proof(placed, checkpoint));
  }

  private TlogProof proof(LogTables.Placed placed, SignedNote checkpoint) {
    long size = Checkpoint.parse(checkpoint.text()).size();
    List<TreeHash> hashes =
        new Tree(size, new TileHashes(size, reads.tiles())).inclusionProof(placed.index());
    return new TlogProof(placed.entry(), placed.index(), hashes, checkpoint);
  }
}
