package org.keywell.service.reapply;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.keywell.service.kmip.ObjectEnds;
import org.keywell.service.reapply.LoggedEnd.OfObject;
import org.keywell.service.reapply.LoggedEnd.OfXksKey;
import org.keywell.service.reapply.LoggedEnd.Revoked;
import org.keywell.service.xks.KeyCommands;
import org.keywell.signing.revocation.RestoredRevocations;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.XksKey;
import org.keywell.xks.store.XksKeys;

/**
 * Finds out which of the ends that a log tells of the database lacks. Nothing is ever begun again:
 * a key that is disabled here stays so.
 */
final class LostEnds {

  /**
   * Something to put back.
   *
   * @param text for the operator
   * @param again does it, with its entry in the log; may be repeated
   */
  record Lost(String text, Runnable again) {}

  private final RestoredRevocations revocations;
  private final XksKeys xksKeys;
  private final KeyCommands xks;
  private final ObjectEnds objects;
  private final BiConsumer<String, List<String>> tell;
  private final InstantSource clock;
  private final List<Lost> lost = new ArrayList<>();
  private final List<String> byHand = new ArrayList<>();

  /**
   * @param tell writes the entry of a command about a key of the external key store
   */
  LostEnds(
      RestoredRevocations revocations,
      XksKeys xksKeys,
      KeyCommands xks,
      ObjectEnds objects,
      BiConsumer<String, List<String>> tell,
      InstantSource clock) {
    this.revocations = revocations;
    this.xksKeys = xksKeys;
    this.xks = xks;
    this.objects = objects;
    this.tell = tell;
    this.clock = clock;
  }

  /** Compares what is logged, in the log's order, with the database. To be called once. */
  LostEnds compare(List<LoggedEnd> logged) {
    Map<String, List<OfXksKey>> ofKeys = new LinkedHashMap<>();
    for (LoggedEnd end : logged) {
      switch (end) {
        case Revoked revoked -> compare(revoked);
        case OfXksKey of -> ofKeys.computeIfAbsent(of.key(), _ -> new ArrayList<>()).add(of);
        case OfObject of -> compare(of);
      }
    }
    ofKeys.forEach(this::compare);
    return this;
  }

  /** Returns what can be put back. */
  List<Lost> lost() {
    return List.copyOf(lost);
  }

  /** Returns what a person must do, since entries do not have what it takes. */
  List<String> byHand() {
    return List.copyOf(byHand);
  }

  private void compare(Revoked end) {
    if (!revocations.has(end.list(), end.revocation().serial())) {
      lost.add(
          new Lost(
              end.text(),
              () -> revocations.add(end.list(), end.revocation(), end.by(), clock.instant())));
    }
  }

  private void compare(OfObject end) {
    switch (objects.compare(end.operation(), end.owner(), end.object())) {
      case STANDS -> {}
      case LOST ->
          lost.add(
              new Lost(
                  end.text(),
                  () -> objects.again(end.operation(), end.owner(), end.object(), end.at())));
      case UNKNOWN -> byHand.add(end.text() + ": the database has no such object");
    }
  }

  /** Only how a key was left in the end counts. */
  private void compare(String name, List<OfXksKey> commands) {
    Optional<XksKey> found = xksKeys.find(name);
    XksKey.State state = XksKey.State.ENABLED;
    Optional<OfXksKey> restricted = Optional.empty();
    OfXksKey last = commands.getLast();
    for (OfXksKey end : commands) {
      switch (end.command()) {
        case "xks enable" -> state = XksKey.State.ENABLED;
        case "xks disable" -> state = XksKey.State.DISABLED;
        case "xks destroy" -> state = XksKey.State.DESTROYED;
        case "xks restrict" -> restricted = Optional.of(end);
        default -> {}
      }
      if (!end.command().equals("xks restrict")) {
        last = end;
      }
    }
    if (found.isEmpty()) {
      byHand.add(last.text() + ": the database has no such key");
      return;
    }
    XksKey here = found.get();
    if (here.state() == XksKey.State.DESTROYED) {
      return;
    }
    if (state == XksKey.State.DESTROYED) {
      lost.add(new Lost(last.text(), () -> told("xks destroy", xks::destroy, name)));
      return;
    }
    if (state == XksKey.State.DISABLED && here.state() == XksKey.State.ENABLED) {
      lost.add(new Lost(last.text(), () -> told("xks disable", xks::disable, name)));
    }
    restricted.ifPresent(end -> restrict(end, here));
  }

  private void restrict(OfXksKey end, XksKey here) {
    if (end.usage().isEmpty()) {
      byHand.add(end.text() + ": the entry does not say to what");
      return;
    }
    KeyUsage left = KeyUsage.ofLabel(end.usage()).and(here.usage());
    if (left != here.usage()) {
      lost.add(
          new Lost(
              end.text(),
              () -> {
                String _ = xks.restrict(end.key(), left);
                tell.accept("xks restrict", List.of(end.key(), left.label()));
              }));
    }
  }

  /** Destruction needs the HSMs; its entry follows, as that of the command. */
  private void told(String command, UnaryOperator<String> work, String name) {
    String _ = work.apply(name);
    tell.accept(command, List.of(name));
  }
}
