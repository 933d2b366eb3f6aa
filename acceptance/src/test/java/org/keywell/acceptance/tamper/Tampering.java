package org.keywell.acceptance.tamper;

import java.sql.SQLException;

/** What is done to the log; docs/LOG.md has a row for each. */
enum Tampering {
  CHANGE("an entry is changed"),
  CHANGE_WITH_HASH("an entry and its hash are changed"),
  DELETE("an entry is deleted"),
  INSERT("an entry is inserted"),
  SWAP("two entries are swapped"),
  CUT("the tail is cut"),
  OWN_TAIL("the tail is replaced by a consistent one"),
  OWN_LOG("the whole log is replaced by a consistent one"),
  OLD_DUMP("the database is rolled back to an old dump");

  private final String title;

  Tampering(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Whether everything from a point on differs, and not only some entries. */
  boolean isOfTheTail() {
    return compareTo(CUT) >= 0;
  }

  /**
   * Does it to a log, unless it needs another database.
   *
   * @param entry of a request
   * @param other another entry
   * @param tail where the tail begins
   */
  void apply(LogTables log, long entry, long other, long tail) throws SQLException {
    switch (this) {
      case CHANGE -> log.change(entry);
      case CHANGE_WITH_HASH -> log.changeWithHash(entry);
      case DELETE -> log.delete(entry);
      case INSERT -> log.insert(entry);
      case SWAP -> log.swap(entry, other);
      case CUT -> log.cut(tail);
      case OWN_TAIL -> log.replaceFrom(tail);
      case OWN_LOG -> log.replaceFrom(0);
      case OLD_DUMP -> {}
    }
  }
}
