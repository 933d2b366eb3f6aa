package org.keywell.loadgen.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.storage.StorageFigures.Start;
import org.keywell.loadgen.text.Resource;

/**
 * All data of a run, as in {@code storage.json}.
 *
 * @param format the version of this format
 * @param startedAt RFC 3339
 * @param postgresql its version
 * @param publishedKms what is published for a database with a cloud's own key manager
 * @param publishedEkm the same for one with an external key manager
 */
public record StorageDocument(
    int format,
    String startedAt,
    double durationSeconds,
    RunEnvironment environment,
    String postgresql,
    StoragePlan plan,
    StorageFigures figures,
    PgbenchResult publishedKms,
    PgbenchResult publishedEkm) {
  private static final int FORMAT = 1;

  /** Creates it, with the published figures. */
  public static StorageDocument of(
      String startedAt,
      double durationSeconds,
      RunEnvironment environment,
      String postgresql,
      StoragePlan plan,
      StorageFigures figures) {
    return new StorageDocument(
        FORMAT,
        startedAt,
        durationSeconds,
        environment,
        postgresql,
        plan,
        figures,
        published("kms"),
        published("ekm"));
  }

  private static PgbenchResult published(String name) {
    try {
      return PgbenchResult.read(
          Resource.text("/org/keywell/loadgen/storage/published-" + name + ".txt"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a line for each measurement, those that are published, and each start. */
  public String csv() {
    StringBuilder csv = new StringBuilder("key_manager,round,tps,latency_ms,connect_ms\n");
    for (int i = 0; i < figures.rounds().size(); i++) {
      append(csv, "local," + (i + 1), figures.rounds().get(i).local());
      append(csv, "xks," + (i + 1), figures.rounds().get(i).xks());
    }
    append(csv, "published-kms,", publishedKms);
    append(csv, "published-ekm,", publishedEkm);
    csv.append("\nkey_manager,start,unwrap_ms,unlock_ms,start_ms\n");
    append(csv, "local", figures.localStarts());
    append(csv, "xks", figures.xksStarts());
    return csv.toString();
  }

  private static void append(StringBuilder csv, String of, PgbenchResult result) {
    csv.append(
        "%s,%.3f,%.3f,%.3f\n"
            .formatted(of, result.perSecond(), result.latencyMillis(), result.connectMillis()));
  }

  private static void append(StringBuilder csv, String of, List<Start> starts) {
    for (int i = 0; i < starts.size(); i++) {
      Start one = starts.get(i);
      csv.append(
          "%s,%d,%.3f,%.3f,%.3f\n".formatted(of, i + 1, one.unwrap(), one.unlock(), one.start()));
    }
  }
}
