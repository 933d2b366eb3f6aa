package org.keywell.signing.pool;

import javax.sql.DataSource;
import org.keywell.keypool.store.ClaimLimit;
import org.keywell.keypool.store.JdbcWrappedKeyStore;

/**
 * The stored tier by wrapping key: each store has the keys under one.
 *
 * @param dataSource provides connections in auto-commit mode
 * @param instance the one that claims keys
 */
public record WrappedKeyStores(DataSource dataSource, String instance) {

  /** Returns that of one wrapping key, for a device with a limit to its claims. */
  public JdbcWrappedKeyStore of(String wrappingKeyId, ClaimLimit limit) {
    return new JdbcWrappedKeyStore(dataSource, instance, wrappingKeyId, limit);
  }

  /** Returns that of one wrapping key. */
  public JdbcWrappedKeyStore of(String wrappingKeyId) {
    return new JdbcWrappedKeyStore(dataSource, instance, wrappingKeyId);
  }
}
