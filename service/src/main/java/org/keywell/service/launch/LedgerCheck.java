package org.keywell.service.launch;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.keypool.store.LedgerBalance;
import org.keywell.keypool.store.StoreException;
import org.keywell.service.pool.KeyReport;

/** What {@code check} finds: the balance of all keys, and what each instance last reported. */
record LedgerCheck(List<LedgerBalance> balances, List<Reported> reports) {

  private static final String REPORTS =
      """
      SELECT instance, part, expected, found,
        (extract(epoch FROM clock_timestamp() - reported_at) * 1000)::bigint
      FROM key_report ORDER BY instance, part
      """;

  /**
   * An instance's report.
   *
   * @param age since it was made; an instance reports when no request is at hand
   */
  record Reported(String instance, KeyReport report, Duration age) {}

  /**
   * Looks once.
   *
   * @throws StoreException if the database fails
   */
  static LedgerCheck look(DataSource dataSource) {
    return new LedgerCheck(new KeyLedger(dataSource).balances(), reports(dataSource));
  }

  private static List<Reported> reports(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(REPORTS);
        ResultSet row = select.executeQuery()) {
      List<Reported> reports = new ArrayList<>();
      while (row.next()) {
        reports.add(
            new Reported(
                row.getString(1),
                new KeyReport(row.getString(2), row.getLong(3), row.getLong(4)),
                Duration.ofMillis(row.getLong(5))));
      }
      return reports;
    } catch (SQLException e) {
      throw new StoreException("the instances' reports cannot be read: " + e.getMessage(), e);
    }
  }

  boolean isBalanced() {
    return balances.stream().allMatch(balance -> balance.difference() == 0)
        && reports.stream().allMatch(reported -> reported.report().matches());
  }

  /** For people. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "kind      wrapping key    generated  corrected     stored    claimed       used  forfeited"
            + "  discarded  difference");
    for (LedgerBalance balance : balances) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-9s %-14s %10d %10d %10d %10d %10d %10d %10d  %s",
              balance.keySpec(),
              shortened(balance.wrappingKeyId()),
              balance.generated(),
              balance.corrected(),
              balance.stored(),
              balance.claimed(),
              balance.used(),
              balance.forfeited(),
              balance.discarded(),
              difference(balance)));
    }
    for (Reported reported : reports) {
      KeyReport report = reported.report();
      lines.add(
          String.format(
              Locale.ROOT,
              "%s, %d s ago: %s, %d keys expected, %d found%s",
              reported.instance(),
              reported.age().toSeconds(),
              report.part(),
              report.expected(),
              report.found(),
              report.matches() ? "" : ": DIFFERENT"));
    }
    if (reports.isEmpty()) {
      lines.add("no instance has reported what it has loaded");
    }
    lines.add(isBalanced() ? "each key is accounted for" : "NOT each key is accounted for");
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }

  private static String difference(LedgerBalance balance) {
    return balance.difference() == 0
        ? "0"
        : "%+d stored, %+d claimed"
            .formatted(balance.storedBeyondLedger(), balance.claimedBeyondLedger());
  }

  private static String shortened(String wrappingKeyId) {
    return wrappingKeyId.length() <= 14 ? wrappingKeyId : wrappingKeyId.substring(0, 13) + "…";
  }
}
