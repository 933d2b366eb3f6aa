package org.keywell.service.launch;

import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.keywell.keypool.store.Estate;
import org.keywell.signing.database.VanishedInstances;

/**
 * The fills that were killed. Each holds places in the store for keys that it was making, and the
 * next could not fill these. An instance would release them, but a fill may be all that runs.
 */
final class EndedFills {

  /** In no instance's name. */
  private static final String MARK = "/fill-";

  private EndedFills() {}

  /** Returns a name for this process, which no other process has at the same time. */
  static String nameFor(String instance) {
    return instance + MARK + ProcessHandle.current().pid();
  }

  /**
   * Releases the places of fills that no process runs as. One that was only cut off from the
   * database cannot store a key in a place that it has lost.
   *
   * @param name of this process
   */
  static void release(DataSource dataSource, String name) throws SQLException {
    VanishedInstances vanished = new VanishedInstances(dataSource, name);
    for (String ended : vanished.find()) {
      if (ended.contains(MARK)) {
        Optional<Integer> _ =
            vanished.settle(ended, connection -> new Estate(connection, name).forfeit(ended));
      }
    }
  }
}
