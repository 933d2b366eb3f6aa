package org.keywell.signing.log;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.keywell.keypool.worker.Worker;
import org.keywell.settings.LogProperties;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;

/**
 * Offers the log's checkpoints to the configured witnesses, and keeps what they cosign. Only its
 * own threads wait for them. A round offers one checkpoint to all, so that it can get a quorum; one
 * instance at a time begins a round, which spares the witnesses and is not needed for correctness.
 * Thread-safe.
 */
public final class Witnesses {

  /** A round at most so often, among all instances. */
  static final Duration PACE = Duration.ofSeconds(5);

  /** Entries that wait longer for a quorum make the log unready. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final LogTables log;
  private final CosignedTables tables;
  private final CosignedCheckpoints checkpoints;
  private final int quorum;
  private final WitnessExchange exchange = new WitnessExchange();
  private final List<Witness> witnesses;
  private final Unwitnessed unwitnessed;
  private final Worker worker = new Worker("keywell-witnesses", this::look);

  Witnesses(
      LogTables log,
      CosignedTables tables,
      CosignedCheckpoints checkpoints,
      LogProperties properties,
      LongSupplier nanoClock) {
    this.log = log;
    this.tables = tables;
    this.checkpoints = checkpoints;
    this.quorum = properties.witnessQuorum();
    this.witnesses =
        properties.witnesses().stream()
            .map(each -> new Witness(each, exchange, nanoClock))
            .toList();
    this.unwitnessed = new Unwitnessed(nanoClock);
  }

  /** Starts the thread, if there are witnesses. */
  public void start() {
    if (!witnesses.isEmpty()) {
      worker.start();
    }
  }

  /** Ends the thread, and what it waits for. Returns whether it ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    exchange.close();
    return worker.join(limit);
  }

  /** Whether its thread has ended unexpectedly. */
  public boolean isBroken() {
    return worker.isBroken();
  }

  /** Returns how many witnesses must have cosigned a checkpoint; 0: none. */
  public int quorum() {
    return quorum;
  }

  /** Whether entries have been waiting too long for the quorum. */
  public boolean areOverdue() {
    return quorum > 0 && unwitnessed.age().compareTo(LONGEST_WAIT) > 0;
  }

  /** Returns how long signed entries have been waiting for the quorum, or for any witness. */
  public Duration waiting() {
    return unwitnessed.age();
  }

  /** Returns how many signed entries wait, as of the last look. */
  public long waitingEntries() {
    return unwitnessed.entries();
  }

  /** Returns how the log contradicts what a witness has cosigned; empty if it does not. */
  public Optional<String> contradiction() {
    return witnesses.stream()
        .flatMap(each ->
            each.contradiction().map(how -> "witness " + each.key().name() + ": " + how).stream())
        .findFirst();
  }

  /** Returns, for each witness, why it does not cosign; or that it does. */
  public Map<String, String> states() {
    Map<String, String> states = new LinkedHashMap<>();
    witnesses.forEach(each -> states.put(each.key().name(), each.failure().orElse("cosigns")));
    return states;
  }

  /** Does one round, if there is a checkpoint to cosign. Returns how long to pause. */
  Duration look() throws InterruptedException {
    // Before the tree is read: it is never behind them.
    Map<String, Long> sizes = tables.sizes();
    LogTables.Head head = log.head();
    Optional<SignedNote> newest = checkpoints.newest(head);
    if (newest.isPresent() && head.checkpointSize() > 0) {
      List<Witness> asked =
          witnesses.stream()
              .filter(Witness::isDue)
              .filter(each -> newest.get().signedBy(List.of(each.key())).isEmpty())
              .toList();
      if (!asked.isEmpty() && tables.beginRound(PACE)) {
        offer(newest.get(), head.checkpointSize(), asked, sizes);
      }
    }
    unwitnessed.saw(
        Math.max(0, head.checkpointSize()),
        checkpoints.witnessed().map(CosignedCheckpoints.Seen::size).orElse(0L));
    return PACE;
  }

  private void offer(SignedNote note, long size, List<Witness> asked, Map<String, Long> sizes)
      throws InterruptedException {
    Witness.Offer offer = new Witness.Offer(note, size, log.tiles(), () -> log.head().size());
    Map<Witness, CompletableFuture<Optional<NoteSignature>>> answers = new LinkedHashMap<>();
    for (Witness witness : asked) {
      long known = sizes.getOrDefault(witness.key().toString(), 0L);
      answers.put(witness, answer(() -> witness.cosign(offer, known)));
    }
    SignedNote seen = note;
    for (var answer : answers.entrySet()) {
      Optional<NoteSignature> signature = get(answer.getValue());
      if (signature.isPresent()) {
        seen = seen.with(List.of(signature.get()));
        tables.reached(answer.getKey().key().toString(), size);
      }
    }
    int cosignatures = seen.signedBy(witnesses.stream().map(Witness::key).toList()).size();
    if (cosignatures > 0) {
      tables.keep(new CosignedTables.Cosigned(cosignatures, size, seen.bytes()));
    }
  }

  private interface Question {
    Optional<NoteSignature> ask() throws InterruptedException;
  }

  private static CompletableFuture<Optional<NoteSignature>> answer(Question question) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return question.ask();
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        },
        task -> Thread.ofVirtual().name("keywell-witness").start(task));
  }

  private static Optional<NoteSignature> get(CompletableFuture<Optional<NoteSignature>> answer)
      throws InterruptedException {
    try {
      return answer.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
