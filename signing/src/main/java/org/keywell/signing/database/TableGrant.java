package org.keywell.signing.database;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An entry of the list in {@code db/roles/grants.sql}.
 *
 * @param service the service's privileges, as SQL writes them; empty if it has none
 * @param reports those for reports
 */
record TableGrant(String table, String service, String reports) {

  private static final Pattern ENTRY =
      Pattern.compile("\\('(\\w+)',\\s*'([^']*)',\\s*'([^']*)'\\)");

  private static final Pattern OF_COLUMNS = Pattern.compile("\\w+ \\([^)]*\\)");

  /** Returns the whole list. */
  static List<TableGrant> all() {
    return ENTRY
        .matcher(DatabaseRoles.GRANTS)
        .results()
        .map(entry -> new TableGrant(entry.group(1), entry.group(2), entry.group(3)))
        .toList();
  }

  /** Returns the privileges that the service has on the table as a whole, not only on columns. */
  List<String> serviceOnWholeTable() {
    return Stream.of(OF_COLUMNS.matcher(service).replaceAll("").split(",", -1))
        .map(String::strip)
        .filter(privilege -> !privilege.isEmpty())
        .toList();
  }
}
