package org.keywell.signing.pool;

import java.util.function.Function;
import javax.sql.DataSource;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.store.ClaimLimit;
import org.keywell.keypool.store.GenerationsStore;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.WrappedKeyStore;

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

  /**
   * Returns that of a device: the keys under all wrapping keys that it uses.
   *
   * @param limits returns the limit to claims under a wrapping key
   */
  public WrappedKeyStore of(Hsm device, Function<String, ClaimLimit> limits) {
    return new GenerationsStore(device, id -> of(id, limits.apply(id)));
  }

  /** Returns that of one wrapping key. */
  public JdbcWrappedKeyStore of(String wrappingKeyId) {
    return new JdbcWrappedKeyStore(dataSource, instance, wrappingKeyId);
  }
}
