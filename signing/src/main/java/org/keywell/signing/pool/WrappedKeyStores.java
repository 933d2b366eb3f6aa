package org.keywell.signing.pool;

import javax.sql.DataSource;
import org.keywell.keypool.store.JdbcWrappedKeyStore;

/**
 * The stored tier by wrapping key: each store has the keys under one.
 *
 * @param dataSource provides connections in auto-commit mode
 * @param instance the one that claims keys
 */
public record WrappedKeyStores(DataSource dataSource, String instance) {

  /** Returns that of one wrapping key. */
  public JdbcWrappedKeyStore of(String wrappingKeyId) {
    return new JdbcWrappedKeyStore(dataSource, instance, wrappingKeyId);
  }
}
