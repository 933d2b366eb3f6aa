package org.keywell.signing.hsm;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyGenerations;
import org.keywell.keypool.store.PoolMarks;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.Rotation.Step;
import org.keywell.signing.database.RunningInstances;
import org.keywell.signing.database.VanishedInstances;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyRotations.Keys;
import org.keywell.signing.database.WrappingKeyUse;
import org.keywell.signing.database.WrappingKeyUse.Kind;
import org.keywell.signing.database.WrappingKeyUses;

/**
 * Has a new wrapping key follow the one that the tokens share, and destroys the old one. Each step
 * is noted in the database before the next, so that another run goes on where one ended. No step is
 * taken before every running instance has followed the one before.
 *
 * <p>Refuses with {@link StartRefusedException}. For one thread.
 */
public final class WrappingKeyRotation {

  /** How often instances look, several times over. */
  private static final int LOOKS_FOR_REPORTS = 30;

  private final WrappingKeyRotations rotations;
  private final WrappingKeyUses uses;
  private final VanishedInstances instances;
  private final RunningInstances running;
  private final PoolMarks store;
  private final Told told;

  /**
   * What is told while it works.
   *
   * @param waiting receives what it waits for, at each look
   * @param log receives what it did, for people and for the log, without secrets
   * @param pause pauses before the next look; returns false if the command is to end
   * @param clock for the time of destruction
   */
  public record Told(
      Consumer<String> waiting, Consumer<String> log, BooleanSupplier pause, InstantSource clock) {}

  /** The command is to end before the rotation has. */
  private static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * @param instances runs under no instance's name
   * @param store of the command
   */
  public WrappingKeyRotation(
      WrappingKeyRotations rotations,
      WrappingKeyUses uses,
      VanishedInstances instances,
      RunningInstances running,
      PoolMarks store,
      Told told) {
    this.rotations = rotations;
    this.uses = uses;
    this.instances = instances;
    this.running = running;
    this.store = store;
    this.told = told;
  }

  /**
   * Rotates.
   *
   * @param tokens of this instance
   * @param device the one whose wrapping key is meant; null if all share one
   * @param now whether to discard what is stored under the old key, rather than to wait for its use
   * @return false if the pause ended it
   */
  public boolean run(List<TokenAccess> tokens, @Nullable String device, boolean now) {
    KeyHolders holders = KeyHolders.find(tokens, device);
    try {
      if (!destroyLeftovers(holders)) {
        Rotation rotation = open(holders).orElseGet(() -> begin(holders));
        finish(holders, rotation, now);
      }
      return true;
    } catch (EndedException e) {
      return false;
    }
  }

  private Optional<Rotation> open(KeyHolders holders) {
    return rotations.all().stream()
        .filter(rotation -> rotation.step() != Step.DONE)
        .filter(rotation -> holders.have(rotation.oldId()) || holders.have(rotation.newId()))
        .findFirst();
  }

  /** A token that was away for a whole rotation still has the old key. */
  private boolean destroyLeftovers(KeyHolders holders) {
    List<Rotation> left =
        rotations.all().stream()
            .filter(rotation -> rotation.step() == Step.DONE && holders.have(rotation.oldId()))
            .toList();
    left.forEach(rotation -> destroy(holders, rotation.oldId()));
    return !left.isEmpty();
  }

  private Rotation begin(KeyHolders holders) {
    String old = holders.wraps(rotations.all());
    List<String> later = holders.after(old);
    if (!later.isEmpty()) {
      // Made by ./keywell hsm, for tokens that no one process reaches.
      return offer(holders, new Rotation(old, later.getFirst(), Step.MAKING));
    }
    requireNoOthers(holders, old);
    return new Rotation(old, WrappingKeyGenerations.labelAfter(old), Step.MAKING);
  }

  /** What is made here cannot be taken to other tokens later. */
  private void requireNoOthers(KeyHolders holders, String old) {
    RunningUses now = running();
    for (int look = 1; now.silent() > 0; look++) {
      if (look > LOOKS_FOR_REPORTS) {
        throw new StartRefusedException(
            "of the running processes, %d do not report their wrapping keys: a fill, or an earlier version"
                .formatted(now.silent()));
      }
      waitFor(now.silence().orElseThrow());
      now = running();
    }
    List<WrappingKeyUse> others =
        now.of(old).stream().filter(use -> !holders.hasToken(use.token())).toList();
    if (!others.isEmpty()) {
      throw new StartRefusedException(
          "wrapping key %s is also in tokens that are not this instance's: %s. Make the key that follows by ./keywell hsm enrol --label '%s', carry it to them, and run this again"
              .formatted(old, RunningUses.names(others), WrappingKeyGenerations.labelAfter(old)));
    }
  }

  private void finish(KeyHolders holders, Rotation begun, boolean now) {
    Rotation rotation = begun;
    if (rotation.step() == Step.MAKING) {
      rotation = make(holders, rotation);
    }
    if (rotation.step() == Step.OFFERED) {
      rotation = switchOver(rotation);
    }
    if (rotation.step() == Step.SWITCHED) {
      rotation = withdraw(rotation, now);
    }
    end(holders, rotation);
  }

  private Rotation make(KeyHolders holders, Rotation rotation) {
    String label = WrappingKeyGenerations.labelAfter(rotation.oldId());
    List<String> later = holders.after(rotation.oldId());
    if (!later.isEmpty() && holders.lacking(later.getFirst()).isEmpty()) {
      return offer(holders, new Rotation(rotation.oldId(), later.getFirst(), Step.MAKING));
    }
    // Of an earlier run that was interrupted; nothing was wrapped with it.
    later.forEach(holders::removeUnused);
    rotations.note(new Rotation(rotation.oldId(), label, Step.MAKING));
    String made = holders.make(label);
    told.log().accept("created: wrapping key %s, in %s".formatted(made, holders.names()));
    return noted(new Rotation(rotation.oldId(), made, Step.OFFERED));
  }

  private Rotation offer(KeyHolders holders, Rotation rotation) {
    holders
        .lacking(rotation.newId())
        .ifPresent(names -> {
          throw new StartRefusedException(
              "wrapping key %s is not in %s: carry it there by ./keywell hsm, or destroy it where it is"
                  .formatted(rotation.newId(), names));
        });
    return noted(new Rotation(rotation.oldId(), rotation.newId(), Step.OFFERED));
  }

  private Rotation switchOver(Rotation rotation) {
    until(now -> {
      List<WrappingKeyUse> lacking = now.lacking(rotation.oldId(), rotation.newId());
      return lacking.isEmpty()
          ? Optional.empty()
          : Optional.of("%s to find %s".formatted(RunningUses.names(lacking), rotation.newId()));
    });
    told.log().accept("wraps from now on: wrapping key " + rotation.newId());
    return noted(new Rotation(rotation.oldId(), rotation.newId(), Step.SWITCHED));
  }

  private Rotation withdraw(Rotation rotation, boolean discard) {
    until(now -> {
      List<WrappingKeyUse> still =
          now.of(rotation.oldId()).stream().filter(use -> use.kind() == Kind.WRAPS).toList();
      if (!still.isEmpty()) {
        return Optional.of(RunningUses.names(still) + " to wrap with " + rotation.newId());
      }
      Keys left = rotations.keys(rotation.oldId());
      if (discard || left.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          "the use of what is under %s: %d stored, %d claimed; %d stored under %s"
              .formatted(
                  rotation.oldId(),
                  left.stored(),
                  left.claimed(),
                  rotations.keys(rotation.newId()).stored(),
                  rotation.newId()));
    });
    // Counted before: instances discard them, too.
    long stored = rotations.keys(rotation.oldId()).stored();
    Rotation withdrawn = noted(new Rotation(rotation.oldId(), rotation.newId(), Step.WITHDRAWN));
    if (stored > 0) {
      told.log().accept("discarded: %d keys stored under %s".formatted(stored, rotation.oldId()));
    }
    return withdrawn;
  }

  private void end(KeyHolders holders, Rotation rotation) {
    String old = rotation.oldId();
    until(now -> {
      long _ = store.discardAll(old);
      List<WrappingKeyUse> still =
          now.of(old).stream().filter(use -> use.kind() != Kind.WITHDRAWN).toList();
      return still.isEmpty()
          ? Optional.empty()
          : Optional.of("%s to give up %s".formatted(RunningUses.names(still), old));
    });
    long _ = store.discardAll(old);
    destroy(holders, old);
    List<WrappingKeyUse> elsewhere =
        running().of(old).stream().filter(use -> !holders.hasToken(use.token())).toList();
    if (!elsewhere.isEmpty()) {
      throw new StartRefusedException(
          "wrapping key %s is destroyed here, and still in tokens of %s: run this there too"
              .formatted(old, RunningUses.names(elsewhere)));
    }
    Rotation _ = noted(new Rotation(old, rotation.newId(), Step.DONE));
  }

  /** In each token, so one that is away is waited for. */
  private void destroy(KeyHolders holders, String id) {
    Set<String> had = new LinkedHashSet<>();
    Optional<String> missing = destroyed(holders, id, had);
    while (missing.isPresent()) {
      waitFor("an HSM that is away, or failed: " + missing.get());
      missing = destroyed(holders, id, had);
    }
    if (!had.isEmpty()) {
      told.log()
          .accept("destroyed: wrapping key %s, in %s".formatted(id, String.join(" and ", had)));
    }
  }

  /** Returns why it is not, if that may pass. */
  private Optional<String> destroyed(KeyHolders holders, String id, Set<String> had) {
    try {
      holders.destroy(id, told.clock().instant(), told.waiting(), had::add);
      return Optional.empty();
    } catch (HsmException | StartRefusedException e) {
      if (PassingFailure.isIn(e)) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  private Rotation noted(Rotation rotation) {
    rotations.note(rotation);
    return rotation;
  }

  private RunningUses running() {
    return RunningUses.of(uses.all(), instances::runs, running::count);
  }

  /** Looks until nothing is left to wait for. */
  private void until(Function<RunningUses, Optional<String>> look) {
    Supplier<Optional<String>> wait =
        () -> {
          RunningUses now = running();
          return now.silence().or(() -> look.apply(now));
        };
    for (Optional<String> reason = wait.get(); reason.isPresent(); reason = wait.get()) {
      waitFor(reason.get());
    }
  }

  private void waitFor(String what) {
    told.waiting().accept("waiting for " + what);
    if (!told.pause().getAsBoolean()) {
      throw new EndedException();
    }
  }
}
