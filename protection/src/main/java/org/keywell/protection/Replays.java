package org.keywell.protection;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.keywell.protection.ProtectionException.Fault;

/**
 * Accepts each message of a sender once. Remembers ids for as long as their dates are accepted, in
 * this process only. Thread-safe.
 */
public final class Replays {

  private final Duration maxAge;
  private final Duration maxAhead;
  private final int senders;
  private final int idsPerSender;
  private final InstantSource clock;
  private final Map<String, Map<String, Instant>> seen = new HashMap<>();

  /**
   * Remembers nothing yet.
   *
   * @param maxAge how old a message may be; from then on, its id is not needed
   * @param maxAhead how far ahead a sender's clock may be
   * @param senders how many senders are remembered at once
   * @param idsPerSender how many messages of one sender are remembered at once
   */
  public Replays(
      Duration maxAge, Duration maxAhead, int senders, int idsPerSender, InstantSource clock) {
    this.maxAge = maxAge;
    this.maxAhead = maxAhead;
    this.senders = senders;
    this.idsPerSender = idsPerSender;
    this.clock = clock;
  }

  /**
   * Accepts a message, and remembers it.
   *
   * @param sender whom the message is from, as proven by its signature
   * @throws ProtectionException if it is too old, too far ahead, seen already, or more than can be
   *     remembered: nothing is forgotten early
   */
  public synchronized void accept(String sender, Header header) throws ProtectionException {
    Instant now = clock.instant();
    if (header.date().isBefore(now.minus(maxAge))) {
      throw new ProtectionException(Fault.TOO_OLD);
    }
    if (header.date().isAfter(now.plus(maxAhead))) {
      throw new ProtectionException(Fault.TOO_FAR_AHEAD);
    }
    if (!seen.containsKey(sender) && seen.size() >= senders) {
      seen.values().removeIf(ids -> forgetOld(ids, now).isEmpty());
    }
    if (!seen.containsKey(sender) && seen.size() >= senders) {
      throw new ProtectionException(Fault.REPLAY_WINDOW_FULL);
    }
    Map<String, Instant> ids = seen.computeIfAbsent(sender, key -> new LinkedHashMap<>());
    if (ids.containsKey(header.id())) {
      throw new ProtectionException(Fault.SEEN_ALREADY);
    }
    if (ids.size() >= idsPerSender && forgetOld(ids, now).size() >= idsPerSender) {
      throw new ProtectionException(Fault.REPLAY_WINDOW_FULL);
    }
    ids.put(header.id(), header.date());
  }

  /** Takes back an acceptance whose message will be delivered again, after a rollback. */
  public synchronized void forget(String sender, Header header) {
    Map<String, Instant> ids = seen.get(sender);
    if (ids != null) {
      ids.remove(header.id());
    }
  }

  private Map<String, Instant> forgetOld(Map<String, Instant> ids, Instant now) {
    ids.values().removeIf(date -> date.isBefore(now.minus(maxAge)));
    return ids;
  }
}
