package org.keywell.kmip.store;

import java.sql.Connection;
import java.sql.SQLException;

/** What is written in the transaction of something else, or not at all. */
@FunctionalInterface
public interface InTransaction {

  /** Adds nothing. */
  InTransaction NOTHING = connection -> {};

  /** Writes; must neither commit nor roll back. What it throws rolls the transaction back. */
  void on(Connection connection) throws SQLException;

  /** Returns what writes this, then the other. */
  default InTransaction and(InTransaction other) {
    return connection -> {
      on(connection);
      other.on(connection);
    };
  }
}
