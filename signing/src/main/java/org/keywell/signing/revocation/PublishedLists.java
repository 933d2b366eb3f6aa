package org.keywell.signing.revocation;

import java.util.Optional;
import org.keywell.ca.revocation.CrlShard;

/** The lists of revoked certificates of all instances, as they were last made. Thread-safe. */
public final class PublishedLists {

  private final ListTable table;

  PublishedLists(ListTable table) {
    this.table = table;
  }

  /**
   * Returns a list; empty if there is none, or it has retired.
   *
   * @throws org.keywell.signing.database.DatabaseException if the database fails
   */
  public Optional<PublishedList> find(CrlShard shard) {
    return table.find(shard);
  }
}
