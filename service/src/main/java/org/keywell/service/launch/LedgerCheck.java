package org.keywell.service.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.keywell.keypool.store.KeyHistory;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.keypool.store.LedgerBalance;
import org.keywell.keypool.store.MisplacedKeys;
import org.keywell.keypool.store.RecordBalance;
import org.keywell.keypool.store.StoreException;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.KeyReport;
import org.keywell.signing.database.KeyReports;

/**
 * The findings of {@code check}: the balance of all keys, their fate by the records, keys in two
 * places, and what each instance last reported.
 */
record LedgerCheck(
    List<LedgerBalance> balances,
    RecordBalance records,
    MisplacedKeys misplaced,
    List<KeyReports.Reported> reports) {

  /**
   * Checks once.
   *
   * @throws StoreException if the keys cannot be read
   * @throws DatabaseException if the reports cannot
   */
  static LedgerCheck look(DataSource dataSource) {
    KeyHistory history = new KeyHistory(dataSource);
    return new LedgerCheck(
        new KeyLedger(dataSource).balances(),
        history.records(),
        history.misplaced(),
        KeyReports.all(dataSource));
  }

  boolean isBalanced() {
    return balances.stream().allMatch(balance -> balance.difference() == 0)
        && records.difference() == 0
        && misplaced.isEmpty()
        && reports.stream().allMatch(reported -> reported.report().matches());
  }

  /** Formats it for people. */
  String text() {
    List<String> lines = new ArrayList<>();
    int width =
        balances.stream()
            .mapToInt(balance -> shortened(balance.wrappingKeyId()).length())
            .reduce("wrapping key".length(), Math::max);
    lines.add(
        "kind      %s  generated  corrected     stored    claimed       used  forfeited  discarded  difference"
            .formatted(padded("wrapping key", width)));
    for (LedgerBalance balance : balances) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-9s %s %10d %10d %10d %10d %10d %10d %10d  %s",
              balance.keySpec(),
              padded(shortened(balance.wrappingKeyId()), width),
              balance.generated(),
              balance.corrected(),
              balance.stored(),
              balance.claimed(),
              balance.used(),
              balance.forfeited(),
              balance.discarded(),
              difference(balance)));
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "records: %d keys used, %d on record%s%s",
            records.used(),
            records.recorded(),
            records.corrected() == 0 ? "" : ", " + records.corrected() + " corrected",
            records.difference() == 0 ? "" : ": DIFFERENT"));
    addIfAny(lines, misplaced.storedAndUsed(), "stored keys have been used");
    addIfAny(lines, misplaced.claimedAndUsed(), "claimed keys have been used");
    addIfAny(lines, misplaced.storedAndClaimed(), "keys are both stored and claimed");
    addIfAny(lines, misplaced.copies(), "stored keys are copies of others");
    for (KeyReports.Reported reported : reports) {
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
    lines.add(
        "(not seen: changes that agree in all tables, and keys of other processes' sessions)");
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }

  private static void addIfAny(List<String> lines, long keys, String what) {
    if (keys != 0) {
      lines.add(keys + " " + what + ": DIFFERENT");
    }
  }

  private static String difference(LedgerBalance balance) {
    return balance.difference() == 0
        ? "0"
        : "%+d stored, %+d claimed"
            .formatted(balance.storedBeyondLedger(), balance.claimedBeyondLedger());
  }

  /** The label, which tells keys that follow each other apart, and the beginning of the digest. */
  private static String shortened(String wrappingKeyId) {
    int end = wrappingKeyId.indexOf(':') + 5;
    return wrappingKeyId.length() <= end ? wrappingKeyId : wrappingKeyId.substring(0, end) + "…";
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
