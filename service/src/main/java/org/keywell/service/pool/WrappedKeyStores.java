package org.keywell.service.pool;

import javax.sql.DataSource;
import org.keywell.keypool.store.JdbcWrappedKeyStore;

/**
 * The stored tier as devices see it: each the keys under its wrapping key.
 *
 * @param dataSource hands out connections in auto-commit mode
 * @param instance who claims keys
 */
public record WrappedKeyStores(DataSource dataSource, String instance) {

  /** That of one wrapping key. */
  public JdbcWrappedKeyStore of(String wrappingKeyId) {
    return new JdbcWrappedKeyStore(dataSource, instance, wrappingKeyId);
  }
}
