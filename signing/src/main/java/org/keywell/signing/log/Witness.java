package org.keywell.signing.log;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.worker.Backoff;
import org.keywell.settings.WitnessProperties;
import org.keywell.tlog.AddCheckpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TileHashes;
import org.keywell.tlog.TileSource;
import org.keywell.tlog.Tree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One witness (C2SP tlog-witness), as this instance knows it. One thread at a time asks it; any may
 * ask how that went.
 */
final class Witness {

  private static final Logger log = LoggerFactory.getLogger(Witness.class);

  private static final int OK = 200;
  private static final int NOT_TRUSTED = 403;
  private static final int UNKNOWN = 404;
  private static final int OTHER_OLD_SIZE = 409;
  private static final int INCONSISTENT = 422;

  private final WitnessProperties properties;
  private final NoteKey key;
  private final WitnessExchange exchange;
  private final LongSupplier nanoClock;
  private final Backoff backoff = new Backoff(Witnesses.PACE, Duration.ofMinutes(1));
  private long notBeforeNanos;
  private volatile @Nullable String failure;
  private volatile @Nullable String contradiction;

  /**
   * A checkpoint to cosign.
   *
   * @param sizeNow of the tree, which may have grown since
   */
  record Offer(SignedNote checkpoint, long size, TileSource tiles, LongSupplier sizeNow) {

    AddCheckpoint from(long old) {
      Tree tree = new Tree(size, new TileHashes(size, tiles));
      return new AddCheckpoint(old, tree.consistencyProof(old), checkpoint);
    }
  }

  /** Thrown if the witness does not cosign. */
  private static final class NotCosignedException extends Exception {
    private static final long serialVersionUID = 1L;

    NotCosignedException(String why) {
      super(why);
    }
  }

  Witness(WitnessProperties properties, WitnessExchange exchange, LongSupplier nanoClock) {
    this.properties = properties;
    this.key = properties.verifier();
    this.exchange = exchange;
    this.nanoClock = nanoClock;
    this.notBeforeNanos = nanoClock.getAsLong();
  }

  NoteKey key() {
    return key;
  }

  /** Returns why it did not cosign the last offer; empty if it did, or was asked nothing yet. */
  Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns how the log contradicts what the witness has cosigned; empty if it does not. */
  Optional<String> contradiction() {
    return Optional.ofNullable(contradiction);
  }

  /** Whether it may be asked again, after failures. */
  boolean isDue() {
    return nanoClock.getAsLong() - notBeforeNanos >= 0;
  }

  /**
   * Offers a checkpoint.
   *
   * @param known the size that it has cosigned last, as far as known
   * @return its cosignature, verified; empty if it does not cosign
   */
  Optional<NoteSignature> cosign(Offer offer, long known) throws InterruptedException {
    try {
      NoteSignature signature = ask(offer, known);
      if (failure != null) {
        log.info("the witness {} cosigns again", key.name());
      }
      failure = null;
      contradiction = null;
      backoff.succeeded();
      return Optional.of(signature);
    } catch (IOException | NotCosignedException | LogFormatException e) {
      if (failure == null) {
        log.warn(
            "the witness {} does not cosign and is asked again: {}", key.name(), e.getMessage());
      }
      failure = String.valueOf(e.getMessage());
      notBeforeNanos = nanoClock.getAsLong() + backoff.afterFailure().toNanos();
      return Optional.empty();
    }
  }

  private NoteSignature ask(Offer offer, long known)
      throws IOException, InterruptedException, NotCosignedException {
    if (known > offer.size()) {
      throw larger(known, offer);
    }
    long old = known;
    WitnessExchange.Answer answer = exchange.send(properties.address(), offer.from(old));
    if (answer.status() == OTHER_OLD_SIZE) {
      old = size(answer);
      if (old > offer.size()) {
        throw larger(old, offer);
      }
      answer = exchange.send(properties.address(), offer.from(old));
    }
    return switch (answer.status()) {
      case OK -> cosignature(answer, offer);
      case NOT_TRUSTED -> throw new NotCosignedException("it trusts no key that signs the log");
      case UNKNOWN -> throw new NotCosignedException("it does not know the log");
      case INCONSISTENT ->
          throw contradicts(
              "the log does not continue the %d entries that it has cosigned".formatted(old));
      default -> throw new NotCosignedException("it answers " + answer.status());
    };
  }

  /** Another instance may have offered a larger tree meanwhile. */
  private NotCosignedException larger(long seen, Offer offer) {
    long now = offer.sizeNow().getAsLong();
    return seen <= now
        ? new NotCosignedException("another instance offers larger checkpoints")
        : contradicts(
            "it has cosigned a tree of %d entries, and the log has %d".formatted(seen, now));
  }

  private NotCosignedException contradicts(String how) {
    if (contradiction == null) {
      log.error(
          "the witness {} contradicts the log: {}; somebody has replaced entries, or signed"
              + " another tree",
          key.name(),
          how);
    }
    contradiction = how;
    return new NotCosignedException(how);
  }

  private static long size(WitnessExchange.Answer answer) throws NotCosignedException {
    try {
      long size = Long.parseLong(answer.body().strip());
      if (size >= 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      log.debug("no size in a conflict's answer", e);
    }
    throw new NotCosignedException("it answers 409 without a size");
  }

  private NoteSignature cosignature(WitnessExchange.Answer answer, Offer offer)
      throws NotCosignedException {
    return answer
        .body()
        .lines()
        .map(NoteSignature::parse)
        .filter(each -> each.name().equals(key.name()) && each.keyId() == key.id())
        .filter(each -> key.verifies(offer.checkpoint().text(), each))
        .findFirst()
        .orElseThrow(() -> new NotCosignedException("its cosignature does not verify"));
  }
}
