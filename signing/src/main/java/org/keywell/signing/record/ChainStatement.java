package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.keywell.ca.CaChain;
import org.keywell.signing.request.IssuedCertificate;

/**
 * Stores certificate chains, each in the transaction of the first outcome that names it: a CA may
 * be reopened with another chain at any time.
 */
final class ChainStatement {

  private static final String KEEP =
      "INSERT INTO ca_chain (id, certificates) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";

  /** Few: the chains of CAs opened in this process. */
  private final Set<CaChain> kept = ConcurrentHashMap.newKeySet();

  /** To be called before the outcomes. Returns new chains, for {@link #committed}. */
  Set<CaChain> execute(Connection connection, List<Entry.Outcome> outcomes) throws SQLException {
    Set<CaChain> added = Set.of();
    for (Entry.Outcome entry : outcomes) {
      IssuedCertificate issued = entry.outcome().issued();
      if (issued != null && !kept.contains(issued.chain())) {
        added = added.isEmpty() ? new HashSet<>() : added;
        added.add(issued.chain());
      }
    }
    keep(connection, added);
    return added;
  }

  /** Notes that these are durably stored. */
  void committed(Set<CaChain> added) {
    kept.addAll(added);
  }

  /** Stores chains, skipping those already stored. */
  static void keep(Connection connection, Collection<CaChain> chains) throws SQLException {
    if (chains.isEmpty()) {
      return;
    }
    try (PreparedStatement keep = connection.prepareStatement(KEEP)) {
      for (CaChain chain : chains) {
        keep.setBytes(1, chain.id());
        keep.setArray(
            2, connection.createArrayOf("bytea", chain.certificates().toArray(byte[][]::new)));
        keep.addBatch();
      }
      keep.executeBatch();
    }
  }
}
