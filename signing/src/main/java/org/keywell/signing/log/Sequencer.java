package org.keywell.signing.log;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.database.DatabaseException;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.RightEdge;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TreeHash;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives committed entries their places in the log, has the tree signed, and watches that it only
 * grows. Every instance has one; the database lets one at a time extend the tree. A checkpoint is
 * signed only for a tree that is committed, so an instance that stands still in between forks
 * nothing: what it signs when it goes on is an earlier size of the same tree.
 */
final class Sequencer {

  /** The tree grows at least once a second while there are entries. */
  static final Duration PAUSE = Duration.ofMillis(500);

  /** By then another sequencer has integrated what was committed, or it still waits. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How often the tokens are shown the tree, while it grows: 144 writes a day. */
  static final Duration SHOWN_EVERY = Duration.ofMinutes(10);

  /** How often at most, for what must not be undone by a restore without a word. */
  static final Duration SHOWN_SOON = Duration.ofSeconds(10);

  /** Bounds a transaction. */
  private static final int MAX_BATCH = 4_096;

  private static final Logger log = LoggerFactory.getLogger(Sequencer.class);

  private final LogTables tables;
  private final String origin;
  private final CommittedLeaves committed;
  private final List<CheckpointSigner> signers = new CopyOnWriteArrayList<>();
  private final List<TokenHead> heads = new CopyOnWriteArrayList<>();
  private final LongSupplier nanoClock;
  private final Worker worker = new Worker("keywell-log", this::look, Duration.ofSeconds(2));
  private final AtomicLong missing = new AtomicLong();
  private volatile @Nullable String damage;
  private volatile long unsigned;

  // Confined to the thread, once it runs.

  /** Null: the tree was found damaged at the start. */
  private @Nullable RightEdge edge;

  private long shownSize;
  private long shownNanos;

  /** Whether the tokens have not seen something that a restore must not undo. */
  private boolean lasting;

  Sequencer(LogTables tables, String origin, CommittedLeaves committed, LongSupplier nanoClock) {
    this.tables = tables;
    this.origin = origin;
    this.committed = committed;
    this.nanoClock = nanoClock;
    this.shownNanos = nanoClock.getAsLong();
  }

  /** Adds a key; of each type, the first one that works signs. */
  void add(CheckpointSigner signer) {
    tables.addKey(signer.key().toString());
    signers.add(signer);
  }

  /** Adds a token that keeps the tree's size and root. */
  void add(TokenHead head) {
    heads.add(head);
  }

  /** Returns how the tree contradicts what the tokens have seen. */
  List<String> contradictions() {
    return heads.stream().flatMap(head -> head.contradiction(tables).stream()).toList();
  }

  /**
   * To be called before anything is committed. Entries that the tree has by then are not hashed
   * again: its hashes are held to its checkpoint.
   *
   * @param restored whether the tokens are to forget what they have seen
   */
  void start(boolean restored) {
    LogTables.Head head = tables.head();
    shownNanos = nanoClock.getAsLong();
    shownSize = head.size();
    if (restored) {
      heads.forEach(each -> each.replace(new Checkpoint(origin, head.size(), head.root())));
    }
    try {
      edge = readEdge();
    } catch (LogDamagedException e) {
      tellOf(e);
    }
    worker.start();
  }

  private RightEdge readEdge() {
    LogTables.Head head = tables.head();
    RightEdge found;
    try {
      found = RightEdge.read(head.size(), tables.tiles());
    } catch (LogFormatException e) {
      throw new LogDamagedException("it lacks hashes: " + e.getMessage());
    }
    if (!found.root().equals(head.root())) {
      throw new LogDamagedException(
          "its %d entries do not have the root %s that is stored"
              .formatted(head.size(), head.root()));
    }
    if (head.checkpoint() != null) {
      requireSigned(head.checkpoint());
    }
    return found;
  }

  private void requireSigned(byte[] note) {
    SignedNote signed = SignedNote.parse(note);
    Checkpoint checkpoint = Checkpoint.parse(signed.text());
    if (signed.signedBy(tables.keys().stream().map(NoteKey::parse).toList()).isEmpty()) {
      throw new LogDamagedException("its checkpoint is signed by no known key");
    }
    if (!tables.rootAt(checkpoint.size()).equals(Optional.of(checkpoint.root()))) {
      throw new LogDamagedException(
          "its first %d entries do not have the root that was signed".formatted(checkpoint.size()));
    }
  }

  /**
   * Ends the thread, after a last look; what waits is taken by another instance or a next start.
   */
  boolean end(Duration limit) {
    worker.stop();
    boolean ended = worker.join(limit);
    if (ended) {
      try {
        Duration _ = look();
      } catch (DatabaseException | CheckpointUnsignedException e) {
        log.warn("{}; the next start goes on with it", e.getMessage());
      }
      show(tables.head());
    }
    return ended;
  }

  boolean isBroken() {
    return worker.isBroken();
  }

  /** Returns how the stored log contradicts what it was before; empty as long as it does not. */
  Optional<String> damage() {
    return Optional.ofNullable(damage);
  }

  /** Returns how many entries of this process were committed and are neither waiting nor in it. */
  long missing() {
    return missing.get();
  }

  /** Returns how many entries no checkpoint has, as of the last look. */
  long unsigned() {
    return unsigned;
  }

  /** Does one round. Returns how long to pause. */
  Duration look() {
    Set<TreeHash> old = committed.olderThan(PATIENCE);
    // Before the tree is read: an entry leaves the one as it enters the other.
    Set<TreeHash> pending = old.isEmpty() ? Set.of() : tables.pending();
    try {
      RightEdge known = edge == null ? readEdge() : edge;
      edge = known;
      Optional<TreeGrowth.Grown> grown = tables.grow(known, MAX_BATCH);
      if (grown.isPresent()) {
        edge = grown.get().edge();
        lasting |= grown.get().lasting();
        committed.remove(grown.get().leaves());
        tellOfMissing(old, pending);
      }
      LogTables.Head head = tables.head();
      sign(head);
      damage = null;
      Duration every = lasting ? SHOWN_SOON : SHOWN_EVERY;
      if (nanoClock.getAsLong() - shownNanos >= every.toNanos()) {
        show(head);
      }
      return grown.filter(TreeGrowth.Grown::mayBeMore).isPresent() ? Duration.ZERO : PAUSE;
    } catch (LogDamagedException e) {
      tellOf(e);
      return PATIENCE;
    }
  }

  private void tellOf(LogDamagedException found) {
    if (damage == null) {
      log.error("the log was altered in the database: {}", found.getMessage());
    }
    damage = found.getMessage();
  }

  /** A device call that hangs would keep the tree from growing: so it is rare. */
  private void show(LogTables.Head head) {
    shownNanos = nanoClock.getAsLong();
    lasting = false;
    if (damage == null && head.size() != shownSize) {
      TokenHead.keep(heads, new Checkpoint(origin, head.size(), head.root()));
      shownSize = head.size();
    }
  }

  private void tellOfMissing(Set<TreeHash> old, Set<TreeHash> pending) {
    Set<TreeHash> lost = new HashSet<>(committed.olderThan(PATIENCE));
    lost.retainAll(old);
    lost.removeAll(pending);
    if (lost.isEmpty()) {
      return;
    }
    committed.remove(lost);
    long all = missing.addAndGet(lost.size());
    log.error(
        "the log lacks {} entries that this instance has committed ({} since the start);"
            + " somebody has removed or changed them",
        lost.size(),
        all);
  }

  private void sign(LogTables.Head head) {
    unsigned = head.isSigned() ? 0 : head.size() - Math.max(0, head.checkpointSize());
    if (head.isSigned()) {
      return;
    }
    String text = new Checkpoint(origin, head.size(), head.root()).text();
    List<NoteSignature> signatures = CheckpointSigner.sign(signers, text);
    if (signatures.isEmpty()) {
      throw new CheckpointUnsignedException("no device signs its checkpoint");
    }
    tables.keep(head.size(), new SignedNote(text, signatures).bytes());
    unsigned = 0;
  }
}
