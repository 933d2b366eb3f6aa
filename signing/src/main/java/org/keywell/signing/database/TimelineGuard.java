package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this process away from a PostgreSQL server that has gone back in time: a replaced primary
 * that does not know it, or a backup. It lacks what was acknowledged since, and may have rows of
 * keys that have signed. Each new connection is asked for its server's timeline: one below the
 * highest seen is refused, and a higher one ends all connections to the previous server.
 *
 * <p>What was seen is forgotten with the process, so after a deliberate restore of a backup it
 * suffices to restart the instances. It cannot distinguish two servers promoted separately from the
 * same timeline.
 *
 * <p>Thread-safe.
 */
public final class TimelineGuard {

  private static final Logger log = LoggerFactory.getLogger(TimelineGuard.class);

  /** Signals that waiting may help. */
  private static final String CANNOT_CONNECT = "08001";

  private volatile @Nullable Refusal refusal;

  // Guarded by this.
  private @Nullable ServerIdentity latest;

  /** The connections to its server; unreferenced ones drop out. */
  private final Set<Connection> toLatest = Collections.newSetFromMap(new WeakHashMap<>());

  /**
   * The refusal of a server.
   *
   * @param sinceNanos when that was noticed, by {@link System#nanoTime}
   */
  public record Refusal(long sinceNanos, String why) {}

  /** Returns since when and why the last server found is refused. */
  public Optional<Refusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  /**
   * Admits a new connection if its server is not behind, or does not tell.
   *
   * @throws SQLException if it is behind or another cluster; close the connection
   */
  void admit(Connection fresh) throws SQLException {
    Optional<ServerIdentity> server = ServerIdentity.of(fresh);
    if (server.isPresent()) {
      for (Connection outlived : admit(fresh, server.get())) {
        // Calls waiting for the previous server fail at once. Closing may wait for it, too.
        outlived.abort(abort -> Thread.ofVirtual().name("keywell-abort").start(abort));
      }
    }
  }

  /** Returns the connections to the previous server. */
  private synchronized List<Connection> admit(Connection fresh, ServerIdentity server)
      throws SQLException {
    ServerIdentity before = latest;
    if (before != null) {
      requireNotBehind(server, before);
    }
    List<Connection> outlived = List.of();
    if (before != null && server.timeline() > before.timeline()) {
      outlived = new ArrayList<>(toLatest);
      toLatest.clear();
      log.warn(
          "PostgreSQL at {} is on timeline {}, after {} at {}: {} connections to the server before"
              + " are ended",
          server.address(),
          server.timeline(),
          before.timeline(),
          before.address(),
          outlived.size());
    }
    latest = server;
    toLatest.add(fresh);
    if (refusal != null) {
      refusal = null;
      log.info("PostgreSQL at {} is on timeline {} again", server.address(), server.timeline());
    }
    return outlived;
  }

  private void requireNotBehind(ServerIdentity server, ServerIdentity before) throws SQLException {
    String why;
    if (server.systemId() != before.systemId()) {
      why =
          "PostgreSQL at %s is another cluster (system identifier %s) than the one at %s (%s)"
              .formatted(server.address(), server.systemId(), before.address(), before.systemId());
    } else if (server.timeline() < before.timeline()) {
      why =
          "PostgreSQL at %s is on timeline %s, but timeline %s was seen at %s"
              .formatted(server.address(), server.timeline(), before.timeline(), before.address());
    } else {
      return;
    }
    if (refusal == null) {
      refusal = new Refusal(System.nanoTime(), why);
      log.error(
          "{}: it is refused as an old primary or a backup, whose keys may have signed since; see"
              + " docs/RUNBOOKS.md, KeywellDatabaseFailing",
          why);
    }
    throw new SQLException(why, CANNOT_CONNECT);
  }
}
